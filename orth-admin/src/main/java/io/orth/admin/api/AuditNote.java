package io.orth.admin.api;

import io.orth.admin.security.AuditLog;
import io.orth.admin.security.Principal;
import jakarta.servlet.http.HttpServletRequest;

/** What a controller has to say about the call for its audit row. Never a password or token. */
public final class AuditNote {

    private static final String ATTRIBUTE = AuditNote.class.getName();

    /** All three null until someone says otherwise; used by the call's own thread only. */
    private Principal caller;

    private String object;
    private String detail;

    private AuditNote() {}

    /** Says what the call is about, as in {@code about(request, "job", 17, "cron 0 0 * * * ?")}; detail may be null. */
    public static void about(HttpServletRequest request, String kind, Object id, String detail) {
        AuditNote note = of(request);
        note.object = kind + " " + id;
        note.detail = detail;
    }

    /** Says who turned out to be calling, where the call itself established it. */
    static void by(HttpServletRequest request, Principal caller) {
        of(request).caller = caller;
    }

    static AuditNote of(HttpServletRequest request) {
        if (request.getAttribute(ATTRIBUTE) instanceof AuditNote known) {
            return known;
        }
        AuditNote note = new AuditNote();
        request.setAttribute(ATTRIBUTE, note);
        return note;
    }

    AuditLog.Outcome outcome(int status) {
        return new AuditLog.Outcome(status, caller, object, detail);
    }
}
