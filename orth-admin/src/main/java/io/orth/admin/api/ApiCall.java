package io.orth.admin.api;

import io.orth.admin.security.Principal;
import jakarta.servlet.http.HttpServletRequest;

/** Call that a controller handles: its caller, and its data for the audit log. */
final class ApiCall {

    private final HttpServletRequest request;

    ApiCall(HttpServletRequest request) {
        this.request = request;
    }

    /** Returns the caller; null if the route is public and the call has no valid credentials. */
    Principal caller() {
        return AccessRules.caller().orElse(null);
    }

    /** Sets the object and detail for the audit log, as in {@link AuditNote#about}. */
    void about(String kind, Object id, String detail) {
        AuditNote.about(request, kind, id, detail);
    }

    String traceId() {
        return TraceId.of(request);
    }

    /** Returns the client's address. */
    String address() {
        return request.getRemoteAddr();
    }

    String contentType() {
        return request.getContentType();
    }
}
