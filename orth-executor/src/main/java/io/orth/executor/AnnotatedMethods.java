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

/** Looks for methods in a class, its superclasses and its interfaces, the nearest first. */
final class AnnotatedMethods {

    private AnnotatedMethods() {}

    /** An overridden method is found once, with the annotation nearest to the class, and calling it calls the one that overrides. */
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

    /** A method with these parameters. */
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

    /** Private and static methods do not override each other. */
    private static String identityOf(Method method) {
        boolean overridable = !Modifier.isPrivate(method.getModifiers()) && !Modifier.isStatic(method.getModifiers());
        return (overridable ? "" : method.getDeclaringClass().getName() + ".")
                + method.getName()
                + Arrays.toString(method.getParameterTypes());
    }
}
