package io.orth.admin.kernel;

import java.util.List;

/** A rejected call, with a stable code and a message that may be shown to the caller. */
public final class OrthException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** An error in one input field. */
    public record FieldError(String field, String message) implements java.io.Serializable {}

    private final ErrorCode code;
    private final List<FieldError> fields;

    private OrthException(ErrorCode code, String message, List<FieldError> fields) {
        super(message);
        this.code = code;
        this.fields = List.copyOf(fields);
    }

    public static OrthException of(ErrorCode code, String message) {
        return new OrthException(code, message, List.of());
    }

    public static OrthException invalid(String field, String message) {
        return invalid(List.of(new FieldError(field, message)));
    }

    public static OrthException invalid(List<FieldError> fields) {
        FieldError first = fields.get(0);
        return new OrthException(ErrorCode.INVALID_INPUT, first.field() + " " + first.message(), fields);
    }

    public static OrthException notFound(String what, Object id) {
        return of(ErrorCode.NOT_FOUND, "there is no %s %s".formatted(what, id));
    }

    public ErrorCode code() {
        return code;
    }

    public List<FieldError> fields() {
        return fields;
    }
}
