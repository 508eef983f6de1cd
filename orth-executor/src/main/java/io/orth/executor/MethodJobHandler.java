package io.orth.executor;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A handler that is an {@link OrthJob} method of some object. */
public final class MethodJobHandler implements JobHandler {

    private final String name;
    private final Object target;
    private final Method execute;
    private final Method init;
    private final Method destroy;

    private MethodJobHandler(OrthJob job, Object target, Method method) {
        this.name = job.value();
        this.target = target;
        this.execute = accessible(method);
        this.init = lifecycleMethod(job.init());
        this.destroy = lifecycleMethod(job.destroy());
    }

    /**
     * The handler for one method.
     *
     * @param method a method that can be called on {@code target}; for a proxy, the proxy's
     * @throws IllegalArgumentException naming the class and the method, if it cannot be a handler
     */
    public static MethodJobHandler of(OrthJob job, Object target, Method method) {
        String where = describe(method);
        if (job.value().isBlank()) {
            throw new IllegalArgumentException("@OrthJob on %s needs a name".formatted(where));
        }
        if (method.getParameterCount() > 1 || (method.getParameterCount() == 1 && !takesContextOrParam(method))) {
            throw new IllegalArgumentException(
                    "@OrthJob method %s must take nothing, a String or an OrthJobContext".formatted(where));
        }
        Class<?> returned = method.getReturnType();
        if (returned != void.class && !RunResult.class.isAssignableFrom(returned)) {
            throw new IllegalArgumentException(
                    "@OrthJob method %s must return nothing or a RunResult".formatted(where));
        }
        return new MethodJobHandler(job, target, method);
    }

    static List<MethodJobHandler> allOf(Object target) {
        List<MethodJobHandler> handlers = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                OrthJob job = method.getAnnotation(OrthJob.class);
                // An overridden method is called through the one that overrides it.
                if (job != null && !method.isBridge() && seen.add(signatureOf(method))) {
                    handlers.add(of(job, target, method));
                }
            }
        }
        if (handlers.isEmpty()) {
            throw new IllegalArgumentException(
                    "%s has no @OrthJob method".formatted(target.getClass().getName()));
        }
        return handlers;
    }

    public String name() {
        return name;
    }

    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        return (RunResult) (execute.getParameterCount() == 0 ? call(execute) : call(execute, argument(context)));
    }

    @Override
    public void init() throws Exception {
        if (init != null) {
            call(init);
        }
    }

    @Override
    public void destroy() throws Exception {
        if (destroy != null) {
            call(destroy);
        }
    }

    @Override
    public String toString() {
        return describe(execute);
    }

    private Object argument(OrthJobContext context) {
        return execute.getParameterTypes()[0] == String.class ? context.param() : context;
    }

    private Object call(Method method, Object... arguments) throws Exception {
        try {
            return method.invoke(Modifier.isStatic(method.getModifiers()) ? null : target, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
    }

    private Method lifecycleMethod(String methodName) {
        if (methodName.isEmpty()) {
            return null;
        }
        for (Class<?> type = target.getClass(); type != null; type = type.getSuperclass()) {
            try {
                return accessible(type.getDeclaredMethod(methodName));
            } catch (NoSuchMethodException e) {
                // The superclass may have it.
            }
        }
        throw new IllegalArgumentException("@OrthJob '%s' on %s names the method %s(), which does not exist"
                .formatted(name, target.getClass().getName(), methodName));
    }

    private static boolean takesContextOrParam(Method method) {
        Class<?> parameter = method.getParameterTypes()[0];
        return parameter == String.class || parameter == OrthJobContext.class;
    }

    private static Method accessible(Method method) {
        method.setAccessible(true);
        return method;
    }

    private static String signatureOf(Method method) {
        return method.getName() + Arrays.toString(method.getParameterTypes());
    }

    private static String describe(Method method) {
        return "%s.%s()".formatted(method.getDeclaringClass().getName(), method.getName());
    }
}
