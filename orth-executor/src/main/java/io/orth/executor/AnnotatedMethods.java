package io.orth.executor;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Finds methods in a class, then its superclasses, then its interfaces. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /**
     * Returns the annotated methods. Of overriding methods only the one nearest to the class is returned; invoking it calls the
     * override.
     */
    static <A extends Annotation> Map<Method, A> of(Class<?> type, Class<A> annotation) {
        Map<Method, A> found = new LinkedHashMap<>();
        Set<String> seen = new HashSet<>();
        for (Class<?> owner : lineageOf(type)) {
            for (Method method : owner.getDeclaredMethods()) {
                A said = method.getAnnotation(annotation);
                if (said != null && !method.isBridge() && seen.add(identityOf(method))) {
                    found.put(method, said);
                }
            }
        }
        return found;
    }

    /** Finds a method by name and parameter types. */
    static Optional<Method> find(Class<?> type, String name, Class<?>... parameters) {
        return lineageOf(type).stream()
                .flatMap(owner -> Arrays.stream(owner.getDeclaredMethods()))
                .filter(method -> method.getName().equals(name)
                        && !method.isBridge()
                        && Arrays.equals(method.getParameterTypes(), parameters))
                .findFirst();
    }

    private static Set<Class<?>> lineageOf(Class<?> type) {
        Set<Class<?>> lineage = new LinkedHashSet<>();
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            lineage.add(owner);
        }
        for (Class<?> owner = type; owner != null; owner = owner.getSuperclass()) {
            addInterfaces(owner, lineage);
        }
        return lineage;
    }

    private static void addInterfaces(Class<?> type, Set<Class<?>> lineage) {
        for (Class<?> face : type.getInterfaces()) {
            if (lineage.add(face)) {
                addInterfaces(face, lineage);
            }
        }
    }

    /** Private and static methods do not override each other, so their identity includes the class. */
    private static String identityOf(Method method) {
        boolean overridable = !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
        return (overridable ? "" : method.getDeclaringClass().getName() + ".")
                + method.getName()
                + Arrays.toString(method.getParameterTypes());
    }
}
