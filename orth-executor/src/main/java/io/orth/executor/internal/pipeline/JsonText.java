package io.orth.executor.internal.pipeline;

import io.orth.executor.internal.CleanText;
import io.orth.protocol.Json;
import java.lang.reflect.RecordComponent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.TemporalAccessor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Serializes handler values as JSON: plain values, records, maps and lists of these. */
final class JsonText {

    private static final int MOST_DEPTH = 32;

    private final UnaryOperator<String> texts;

    /** @param texts applied to each text */
    JsonText(UnaryOperator<String> texts) {
        this.texts = texts;
    }

    /** @throws IllegalArgumentException if a value has no JSON form; the message names it */
    String of(Object value) {
        return new String(Json.write(treeOf(value, 0)), StandardCharsets.UTF_8);
    }

    private Object treeOf(Object value, int depth) {
        if (depth > MOST_DEPTH) {
            throw new IllegalArgumentException("it is nested deeper than %d levels".formatted(MOST_DEPTH));
        }
        if (value == null || value instanceof Boolean || value instanceof Number) {
            return numberOf(value);
        }
        if (value instanceof CharSequence || value instanceof Character) {
            return CleanText.of(texts.apply(value.toString()));
        }
        if (value instanceof Enum<?> || value instanceof UUID || isTime(value)) {
            return value.toString();
        }
        if (value instanceof Optional<?> optional) {
            return treeOf(optional.orElse(null), depth);
        }
        if (value instanceof Map<?, ?> map) {
            return mapOf(map, depth);
        }
        if (value instanceof Iterable<?> items) {
            List<Object> list = new ArrayList<>();
            items.forEach(item -> list.add(treeOf(item, depth + 1)));
            return list;
        }
        if (value instanceof Record) {
            return mapOf(componentsOf(value), depth);
        }
        throw new IllegalArgumentException("%s cannot be written as JSON; a record, a map or a list of plain values can"
                .formatted(value.getClass().getName()));
    }

    private static Object numberOf(Object value) {
        if (value instanceof Double || value instanceof Float) {
            double number = ((Number) value).doubleValue();
            if (Double.isNaN(number) || Double.isInfinite(number)) {
                throw new IllegalArgumentException("%s cannot be written as JSON".formatted(value));
            }
        }
        return value;
    }

    private static boolean isTime(Object value) {
        return value instanceof TemporalAccessor || value instanceof Duration;
    }

    private Map<String, Object> mapOf(Map<?, ?> map, int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        map.forEach((key, field) -> fields.put(CleanText.of(String.valueOf(key)), treeOf(field, depth + 1)));
        return fields;
    }

    private static Map<String, Object> componentsOf(Object value) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            try {
                component.getAccessor().setAccessible(true);
                fields.put(component.getName(), component.getAccessor().invoke(value));
            } catch (ReflectiveOperationException | RuntimeException e) {
                throw new IllegalArgumentException(
                        "%s.%s() cannot be called: %s"
                                .formatted(value.getClass().getName(), component.getName(), e),
                        e);
            }
        }
        return fields;
    }
}
