package io.orth.executor.internal.param;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds the reader of a type. An instance serves one record type and the types nested in it. */
final class Readers {

    private final Map<Class<?>, RecordReader> records = new HashMap<>();

    /**
     * @param where the element that has the type, for the error message
     * @throws IllegalArgumentException if no JSON can represent the type
     */
    Reader of(Type type, String where) {
        if (type instanceof Class<?> plain) {
            Reader reader = plain.isRecord() && plain.getTypeParameters().length == 0
                    ? ofRecord(plain)
                    : Scalars.of(plain).orElseThrow(() -> unsupported(type, where));
            return plain.isPrimitive() ? reader : Reader.nullable(reader);
        }
        if (type instanceof ParameterizedType generic) {
            return ofGeneric(generic, where);
        }
        throw unsupported(type, where);
    }

    RecordReader ofRecord(Class<?> type) {
        RecordReader known = records.get(type);
        if (known != null) {
            return known;
        }
        RecordReader reader = new RecordReader(type);
        records.put(type, reader);
        reader.readComponents(this);
        return reader;
    }

    private Reader ofGeneric(ParameterizedType type, String where) {
        Type[] arguments = type.getActualTypeArguments();
        if (type.getRawType() == Optional.class) {
            Reader content = of(arguments[0], where);
            return (path, value) -> Optional.ofNullable(content.read(path, value));
        }
        if (type.getRawType() == List.class) {
            Reader item = of(arguments[0], where);
            return Reader.nullable((path, value) -> Collections.unmodifiableList(items(item, path, value)));
        }
        if (type.getRawType() == Set.class) {
            Reader item = of(arguments[0], where);
            return Reader.nullable(
                    (path, value) -> Collections.unmodifiableSet(new LinkedHashSet<>(items(item, path, value))));
        }
        if (type.getRawType() == Map.class && arguments[0] == String.class) {
            Reader content = of(arguments[1], where);
            return Reader.nullable((path, value) -> Collections.unmodifiableMap(entries(content, path, value)));
        }
        throw unsupported(type, where);
    }

    private static List<Object> items(Reader reader, String path, Object value) throws ParamMismatchException {
        if (!(value instanceof List<?> list)) {
            throw ParamMismatchException.at(path, "a JSON array", value);
        }
        List<Object> items = new ArrayList<>(list.size());
        for (Object item : list) {
            items.add(reader.read("%s[%d]".formatted(path, items.size()), item));
        }
        return items;
    }

    private static Map<String, Object> entries(Reader reader, String path, Object value) throws ParamMismatchException {
        if (!(value instanceof Map<?, ?> map)) {
            throw ParamMismatchException.at(path, "a JSON object", value);
        }
        Map<String, Object> entries = new LinkedHashMap<>();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            String name = (String) entry.getKey();
            entries.put(name, reader.read(path + "." + name, entry.getValue()));
        }
        return entries;
    }

    private static IllegalArgumentException unsupported(Type type, String where) {
        return new IllegalArgumentException(
                "%s has the type %s, which a JSON parameter cannot fill".formatted(where, type.getTypeName()));
    }
}
