package io.orth.executor.internal.param;

import io.orth.protocol.Json;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** Reads a job's parameter as one record type. Thread-safe. */
public final class RecordParam {

    private final Class<?> type;
    private final RecordReader reader;

    private RecordParam(Class<?> type) {
        this.type = type;
        this.reader = new Readers().ofRecord(type);
    }

    /** @throws IllegalArgumentException if a component cannot be read from JSON; the message names it */
    public static RecordParam of(Class<?> type) {
        if (!type.isRecord() || type.getTypeParameters().length > 0) {
            throw new IllegalArgumentException(type.getName() + " is not a record without type parameters");
        }
        return new RecordParam(type);
    }

    /** Reads a parameter. An empty one counts as an object without fields. */
    public Object read(String param) throws ParamMismatchException {
        try {
            return reader.read("", param.isBlank() ? Map.of() : treeOf(param));
        } catch (ParamMismatchException e) {
            throw new ParamMismatchException(
                    "the parameter does not fit %s: %s".formatted(type.getSimpleName(), e.getMessage()));
        }
    }

    private static Object treeOf(String param) throws ParamMismatchException {
        Object tree = parse(param);
        // The parser stops after the first value. Inside an array, it cannot miss trailing text.
        if (!(parse("[" + param + "]") instanceof List<?> values) || values.size() != 1) {
            throw new ParamMismatchException("not valid JSON: more than one value");
        }
        return tree;
    }

    private static Object parse(String text) throws ParamMismatchException {
        try {
            return Json.read(text.getBytes(StandardCharsets.UTF_8));
        } catch (WireFormatException e) {
            throw new ParamMismatchException(e.getMessage());
        }
    }
}
