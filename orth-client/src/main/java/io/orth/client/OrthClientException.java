package io.orth.client;

import java.util.List;

/** A call that was refused, or that no admin answered. */
public class OrthClientException extends RuntimeException {

    /** No admin has answered, or none as an admin does. What was asked for may have happened nevertheless. */
    public static final String UNREACHABLE = "UNREACHABLE";

    private static final long serialVersionUID = 1L;

    /** What is wrong with one field of what was sent. */
    public record FieldError(String field, String message) implements java.io.Serializable {}

    private final int status;
    private final String code;
    private final List<FieldError> fields;
    private final String traceId;

    OrthClientException(
            int status, String code, String message, List<FieldError> fields, String traceId, Throwable cause) {
        super(message, cause);
        this.status = status;
        this.code = code;
        this.fields = List.copyOf(fields);
        this.traceId = traceId;
    }

    static OrthClientException unreachable(String message, Throwable cause) {
        return new OrthClientException(0, UNREACHABLE, message, List.of(), null, cause);
    }

    /** The HTTP status; 0 where no admin has answered. */
    public int status() {
        return status;
    }

    /** The problem's code, such as {@code INVALID_INPUT}, as the reference of errors lists them; or {@link #UNREACHABLE}. */
    public String code() {
        return code;
    }

    /** Which fields are wrong, and what about them. */
    public List<FieldError> fields() {
        return fields;
    }

    /** Under which the call is found in the admin's log; null where no admin has answered. */
    public String traceId() {
        return traceId;
    }
}
