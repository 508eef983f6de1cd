package io.orth.executor.internal.param;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads a JSON object into a record, component by component. A missing component is null, or an empty Optional, or, if it is
 * primitive, a mismatch. An unknown field is a mismatch too, because it is most likely misspelled.
 */
final class RecordReader implements Reader {

    private final Class<?> type;
    private final Constructor<?> constructor;
    private final Map<String, Component> components = new LinkedHashMap<>();

    private record Component(boolean primitive, Reader reader) {}

    /**
     * Creates a reader that is not usable before {@link #readComponents}; two steps because a record may contain itself, for
     * example in a list.
     */
    RecordReader(Class<?> type) {
        this.type = type;
        this.constructor = canonicalConstructorOf(type);
    }

    void readComponents(Readers readers) {
        for (RecordComponent component : type.getRecordComponents()) {
            String where = "%s.%s".formatted(type.getName(), component.getName());
            components.put(
                    component.getName(),
                    new Component(component.getType().isPrimitive(), readers.of(component.getGenericType(), where)));
        }
    }

    @Override
    public Object read(String path, Object value) throws ParamMismatchException {
        if (!(value instanceof Map<?, ?> fields)) {
            throw ParamMismatchException.at(path, "a JSON object", value);
        }
        for (Object name : fields.keySet()) {
            if (!components.containsKey(name)) {
                throw new ParamMismatchException("%s is not a field of %s, which has %s"
                        .formatted(
                                ParamMismatchException.nameOf(
                                        below(path, Shown.of(name).replace("\"", ""))),
                                type.getSimpleName(),
                                components.keySet()));
            }
        }
        Object[] arguments = new Object[components.size()];
        int next = 0;
        for (var component : components.entrySet()) {
            arguments[next++] =
                    argument(below(path, component.getKey()), fields.get(component.getKey()), component.getValue());
        }
        return create(path, arguments);
    }

    private static Object argument(String path, Object value, Component component) throws ParamMismatchException {
        if (value == null && component.primitive()) {
            throw new ParamMismatchException("%s is missing".formatted(ParamMismatchException.nameOf(path)));
        }
        return component.reader().read(path, value);
    }

    /** Creates the record. Exceptions from its constructor count as mismatches, because records may validate their components. */
    private Object create(String path, Object[] arguments) throws ParamMismatchException {
        try {
            return constructor.newInstance(arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw new ParamMismatchException("%s is refused by %s: %s"
                    .formatted(ParamMismatchException.nameOf(path), type.getSimpleName(), reasonOf(e.getCause())));
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s cannot be created".formatted(type.getName()), e);
        }
    }

    private static String reasonOf(Throwable problem) {
        return problem.getMessage() == null ? problem.toString() : problem.getMessage();
    }

    private static String below(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static Constructor<?> canonicalConstructorOf(Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] types = new Class<?>[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor;
        } catch (NoSuchMethodException e) {
            throw new IllegalStateException("%s has no canonical constructor".formatted(type.getName()), e);
        }
    }
}
