package io.orth.admin.api;

import io.orth.admin.security.Principal;
import jakarta.servlet.http.HttpServletRequest;

/** The call that a controller answers: who made it, and what the audit log is to say about it. */
final class ApiCall {

    private final HttpServletRequest request;

    ApiCall(HttpServletRequest request) {
        this.request = request;
    }

    /** Null where anybody may call and nobody has logged in. */
    Principal caller() {
        return AccessRules.caller().orElse(null);
    }

    /** For the audit log, as in {@link AuditNote#about}. */
    void about(String kind, Object id, String detail) {
        AuditNote.about(request, kind, id, detail);
    }

    String traceId() {
        return TraceId.of(request);
    }

    /** The address it came from. */
    String address() {
        return request.getRemoteAddr();
    }

    String contentType() {
        return request.getContentType();
    }
}
