package io.orth.client;

import java.util.List;

/** Thrown if a call is rejected or no admin responds. */
public class OrthClientException extends RuntimeException {

    /** No admin responded, or the response is invalid. The call may have been executed nevertheless. */
    public static final String UNREACHABLE = "UNREACHABLE";

    private static final long serialVersionUID = 1L;

    /** A validation error of one request field. */
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

    /** Returns the HTTP status; 0 if no admin responded. */
    public int status() {
        return status;
    }

    /** Returns the error code, such as {@code INVALID_INPUT}, from the reference of errors; or {@link #UNREACHABLE}. */
    public String code() {
        return code;
    }

    /** Returns the validation errors of the request fields. */
    public List<FieldError> fields() {
        return fields;
    }

    /** Returns the trace id of the call in the admin's log; null if no admin responded. */
    public String traceId() {
        return traceId;
    }
}
