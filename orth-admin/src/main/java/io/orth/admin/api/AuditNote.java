package io.orth.admin.api;

import io.orth.admin.security.AuditLog;
import io.orth.admin.security.Principal;
import jakarta.servlet.http.HttpServletRequest;

/** Data about a call that its controller adds to the audit row. Never contains a password or token. */
public final class AuditNote {

    private static final String ATTRIBUTE = AuditNote.class.getName();

    /** Null until set, like the next two fields. Used by the call's own thread only. */
    private Principal caller;

    private String object;
    private String detail;

    private AuditNote() {}

    /** Sets the object of the call, as in {@code about(request, "job", 17, "cron 0 0 * * * ?")}; {@code detail} may be null. */
    public static void about(HttpServletRequest request, String kind, Object id, String detail) {
        AuditNote note = of(request);
        note.object = kind + " " + id;
        note.detail = detail;
    }

    /** Sets the caller, if the call itself established the identity. */
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
