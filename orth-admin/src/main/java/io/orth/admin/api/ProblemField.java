package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.OrthException.FieldError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.springframework.http.converter.HttpMessageNotReadableException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamConstraintsException;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;

/** Translation of parser exceptions into errors about fields of the request, without Java terms. */
final class ProblemField {

    private static final int LONGEST = 100;

    private ProblemField() {}

    /** Returns the error; its field is empty if it concerns the body as a whole. */
    static FieldError of(HttpMessageNotReadableException unreadable) {
        return unreadable.getCause() instanceof JacksonException cause
                ? of(cause)
                : new FieldError("", "the body is missing");
    }

    /** Returns the error; its field is empty if it concerns the text as a whole. */
    static FieldError of(JacksonException cause) {
        if (cause instanceof UnrecognizedPropertyException) {
            return new FieldError(path(cause), "is not known here");
        }
        if (cause instanceof MismatchedInputException mismatch
                && !cause.getPath().isEmpty()) {
            return wrongType(path(cause), mismatch.getTargetType());
        }
        if (cause instanceof InputCoercionException outOfRange
                && !cause.getPath().isEmpty()) {
            return wrongType(path(cause), outOfRange.getTargetType());
        }
        if (cause instanceof MismatchedInputException) {
            return new FieldError("", "the body must be a JSON object");
        }
        if (cause instanceof StreamConstraintsException) {
            return new FieldError("", "the body is nested too deeply or holds a text or number that is too long");
        }
        return new FieldError("", "the body is not valid JSON");
    }

    /** @param type the expected type; null if unknown */
    static FieldError wrongType(String field, Class<?> type) {
        return new FieldError(field, "must be " + words(type));
    }

    /** Returns the same error with its field below {@code part}. */
    static FieldError within(String part, FieldError error) {
        return new FieldError(error.field().isEmpty() ? part : part + "." + error.field(), error.message());
    }

    /** Returns {@code value}. Throws if it is null. */
    static <T> T required(String field, T value) {
        if (value == null) {
            throw OrthException.invalid(field, "is missing");
        }
        return value;
    }

    /** Reads each item of a list. An error names the item, such as {@code messages[3].payload}. */
    static <P, T> List<T> each(String list, Iterable<P> items, Function<P, T> read) {
        List<T> all = new ArrayList<>();
        for (P item : items) {
            String part = list + "[" + all.size() + "]";
            if (item == null) {
                throw OrthException.invalid(part, "must not be null");
            }
            all.add(in(part, () -> read.apply(item)));
        }
        return all;
    }

    /** Reads one part of a body. An error names the part. */
    static <T> T in(String part, Supplier<T> read) {
        try {
            return read.get();
        } catch (OrthException e) {
            throw e.fields().isEmpty()
                    ? e
                    : OrthException.invalid(e.fields().stream()
                            .map(error -> within(part, error))
                            .toList());
        }
    }

    private static String words(Class<?> type) {
        if (type == null) {
            return "of another type";
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(Object::toString)
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        if (Number.class.isAssignableFrom(type) || type.isPrimitive()) {
            return "a number";
        }
        if (type == Instant.class) {
            return "a time like 2030-01-31T12:00:00Z";
        }
        if (Collection.class.isAssignableFrom(type) || type.isArray()) {
            return "a list";
        }
        if (type.isRecord() || Map.class.isAssignableFrom(type)) {
            return "an object";
        }
        return type == String.class ? "a text" : "of another type";
    }

    private static String path(JacksonException e) {
        StringBuilder path = new StringBuilder();
        for (JacksonException.Reference step : e.getPath()) {
            if (step.getPropertyName() == null) {
                path.append('[').append(step.getIndex()).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(step.getPropertyName());
            }
        }
        return path.length() <= LONGEST ? path.toString() : path.substring(0, LONGEST) + "…";
    }
}
