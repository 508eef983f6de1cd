package io.orth.admin.kernel;

/** Stable codes of API errors, each with its HTTP status and the party that must act. */
public enum ErrorCode {
    INVALID_INPUT(400, Owner.CALLER),
    NOT_AUTHENTICATED(401, Owner.CALLER),
    NOT_ALLOWED(403, Owner.CALLER),
    NOT_FOUND(404, Owner.CALLER),
    METHOD_NOT_ALLOWED(405, Owner.CALLER),
    REQUEST_TIMEOUT(408, Owner.CALLER),
    CONFLICT(409, Owner.CALLER),
    PRECONDITION_FAILED(412, Owner.CALLER),
    TOO_LARGE(413, Owner.CALLER),
    UNSUPPORTED_MEDIA_TYPE(415, Owner.CALLER),
    TOO_MANY_REQUESTS(429, Owner.CALLER),
    EXECUTOR_UNREACHABLE(502, Owner.EXECUTOR),
    INTERNAL(500, Owner.ADMIN),
    UNAVAILABLE(503, Owner.ADMIN);

    /** The party that must act for the call to succeed. */
    public enum Owner {
        CALLER,
        EXECUTOR,
        ADMIN
    }

    private final int status;
    private final Owner owner;

    ErrorCode(int status, Owner owner) {
        this.status = status;
        this.owner = owner;
    }

    public int status() {
        return status;
    }

    public Owner owner() {
        return owner;
    }
}
