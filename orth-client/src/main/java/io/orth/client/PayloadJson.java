package io.orth.client;

import io.orth.protocol.Json;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.ZoneId;
import java.time.temporal.TemporalAccessor;
import java.time.temporal.TemporalAmount;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Payloads as JSON: records, maps, collections, texts, numbers, enums, and times as ISO 8601, which executors can read into records. Fields
 * that are null are omitted. Other types are rejected with their name instead of being written in an unreadable form.
 */
final class PayloadJson {

    private static final int DEEPEST = 60;

    private PayloadJson() {}

    static String write(Object payload) {
        return new String(Json.write(tree(payload, "payload")), StandardCharsets.UTF_8);
    }

    /** @param path the name of the value in error messages */
    static Object tree(Object value, String path) {
        return tree(value, path, 0);
    }

    private static Object tree(Object value, String path, int depth) {
        Checks.that(depth <= DEEPEST, "%s is nested too deeply".formatted(path));
        if (value == null || value instanceof String || value instanceof Boolean) {
            return value;
        }
        if (value instanceof Number number) {
            Checks.that(
                    !(number instanceof Double || number instanceof Float) || Double.isFinite(number.doubleValue()),
                    "%s is %s, which JSON cannot say".formatted(path, number));
            return number;
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof TemporalAccessor
                || value instanceof TemporalAmount
                || value instanceof ZoneId
                || value instanceof UUID
                || value instanceof URI
                || value instanceof Character) {
            return value.toString();
        }
        if (value instanceof Optional<?> optional) {
            return tree(optional.orElse(null), path, depth);
        }
        if (value instanceof Record fields) {
            return ofRecord(fields, path, depth);
        }
        if (value instanceof Map<?, ?> map) {
            return ofMap(map, path, depth);
        }
        if (value instanceof Collection<?> items) {
            return ofItems(items, path, depth);
        }
        if (value instanceof Object[] items) {
            return ofItems(List.of(items), path, depth);
        }
        throw new IllegalArgumentException(
                "%s is a %s: a payload is a text, or made of records, maps, lists, texts, numbers and times"
                        .formatted(path, value.getClass().getName()));
    }

    private static Object ofRecord(Record value, String path, int depth) {
        Map<String, Object> tree = new LinkedHashMap<>();
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            tree.put(
                    component.getName(),
                    tree(read(value, component), "%s.%s".formatted(path, component.getName()), depth + 1));
        }
        return tree;
    }

    private static Object read(Record value, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException(
                    "%s of %s cannot be read"
                            .formatted(component.getName(), value.getClass().getName()),
                    e);
        }
    }

    private static Object ofMap(Map<?, ?> map, String path, int depth) {
        Map<String, Object> tree = new LinkedHashMap<>();
        map.forEach((key, value) ->
                tree.put(String.valueOf(key), tree(value, "%s.%s".formatted(path, key), depth + 1)));
        return tree;
    }

    private static Object ofItems(Collection<?> items, String path, int depth) {
        List<Object> tree = new ArrayList<>(items.size());
        for (Object item : items) {
            tree.add(tree(item, "%s[%d]".formatted(path, tree.size()), depth + 1));
        }
        return tree;
    }
}
