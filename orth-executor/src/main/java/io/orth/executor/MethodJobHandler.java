package io.orth.executor;

import io.orth.executor.internal.param.ParamMismatchException;
import io.orth.executor.internal.param.RecordParam;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** A handler that calls an {@link OrthJob} or {@link OrthQueue} method of an object. */
public final class MethodJobHandler implements JobHandler {

    private final String name;
    private final Target target;
    private final Method execute;
    private final Method init;
    private final Method destroy;
    private final Method retryDelay;
    private final Argument argument;
    private final JobDeclaration declaration;

    /** Converts the context of a run to the method's argument. */
    @FunctionalInterface
    private interface Argument {
        Object of(OrthJobContext context) throws ParamMismatchException;
    }

    /** The object whose method is called. */
    public interface Target {

        /**
         * Returns the class that declares the method. The annotation's {@code init} and {@code destroy} methods are looked up in
         * it.
         */
        Class<?> type();

        /** Returns the object to use for one call. */
        Object instance();

        /**
         * Returns the method to invoke on {@code instance} instead of {@code method} of {@link #type()}; a different one if
         * {@code instance} is a proxy.
         */
        default Method callable(Method method, Object instance) {
            return method;
        }

        static Target of(Object instance) {
            return new Target() {
                @Override
                public Class<?> type() {
                    return instance.getClass();
                }

                @Override
                public Object instance() {
                    return instance;
                }
            };
        }
    }

    private MethodJobHandler(OrthJob job, Target target, Method method, JobDeclaration declaration) {
        this.name = job.value();
        this.target = target;
        this.declaration = declaration;
        this.execute = executable("@OrthJob", method);
        this.argument = argumentOf("@OrthJob", method);
        this.init = lifecycleMethod(job.init());
        this.destroy = lifecycleMethod(job.destroy());
        this.retryDelay = retryDelayMethod("@OrthJob", job.retryDelay());
    }

    private MethodJobHandler(OrthQueue queue, Target target, Method method) {
        this.name = queue.value();
        this.target = target;
        this.declaration = null;
        this.execute = executable("@OrthQueue", method);
        this.argument = argumentOf("@OrthQueue", method);
        this.init = null;
        this.destroy = null;
        this.retryDelay = retryDelayMethod("@OrthQueue", queue.retryDelay());
    }

    /**
     * Creates the handler for an annotated method.
     *
     * @param method a method of the target's type
     * @throws IllegalArgumentException if the method cannot be a handler; the message names the class and the method
     */
    public static MethodJobHandler of(OrthJob job, Target target, Method method) {
        return of(job, target, method, UnaryOperator.identity());
    }

    /**
     * Creates the handler for an annotated method whose annotation needs its texts resolved.
     *
     * @param texts resolves the texts of the job declaration, for example their placeholders
     */
    public static MethodJobHandler of(OrthJob job, Target target, Method method, UnaryOperator<String> texts) {
        String where = describe(method);
        HandlerName.check(job.value(), "@OrthJob on " + where);
        JobDeclaration declaration = new AnnotatedJob(job, "@OrthJob on " + where, texts)
                .declaration()
                .orElse(null);
        return new MethodJobHandler(job, target, method, declaration);
    }

    /** Creates the handler for the worker of a queue. */
    static MethodJobHandler of(OrthQueue queue, Target target, Method method) {
        return new MethodJobHandler(queue, target, method);
    }

    /** Returns the handler's name, or that of its queue. */
    public String name() {
        return name;
    }

    /** Returns the job that the annotation declares, if any. */
    Optional<JobDeclaration> declaration() {
        return Optional.ofNullable(declaration);
    }

    /** Calls the method. A parameter that does not fit is a non-retryable failure, and the method is not called. */
    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        if (argument == null) {
            return (RunResult) call(execute);
        }
        Object value;
        try {
            value = argument.of(context);
        } catch (ParamMismatchException e) {
            OrthJobHelper.log("{}", e.getMessage());
            return RunResult.failForGood(e.getMessage());
        }
        return (RunResult) call(execute, value);
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
    public Duration retryDelay(int attempt, Throwable error) throws Exception {
        if (retryDelay == null) {
            return null;
        }
        return (Duration)
                (retryDelay.getParameterCount() == 1 ? call(retryDelay, attempt) : call(retryDelay, attempt, error));
    }

    @Override
    public String toString() {
        return describe(execute);
    }

    private Object call(Method method, Object... arguments) throws Exception {
        return call(target, method, arguments);
    }

    /** Calls the method and rethrows its exceptions unwrapped. */
    static Object call(Target target, Method method, Object... arguments) throws Exception {
        try {
            if (Modifier.isStatic(method.getModifiers())) {
                return method.invoke(null, arguments);
            }
            Object instance = target.instance();
            return target.callable(method, instance).invoke(instance, arguments);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw (Exception) e.getCause();
        }
    }

    private static Method executable(String annotation, Method method) {
        Class<?> returned = method.getReturnType();
        if (returned != void.class && !RunResult.class.isAssignableFrom(returned)) {
            throw new IllegalArgumentException(
                    "%s method %s must return nothing or a RunResult".formatted(annotation, describe(method)));
        }
        return accessible(method);
    }

    private static Argument argumentOf(String annotation, Method method) {
        Class<?>[] types = method.getParameterTypes();
        if (types.length == 0) {
            return null;
        }
        if (types.length == 1 && types[0] == String.class) {
            return OrthJobContext::param;
        }
        if (types.length == 1 && types[0] == OrthJobContext.class) {
            return context -> context;
        }
        if (types.length == 1 && types[0].isRecord()) {
            return recordArgument(annotation, method, types[0]);
        }
        throw new IllegalArgumentException("%s method %s must take nothing, a String, an OrthJobContext or a record"
                .formatted(annotation, describe(method)));
    }

    private static Argument recordArgument(String annotation, Method method, Class<?> type) {
        try {
            RecordParam param = RecordParam.of(type);
            return context -> param.read(context.param());
        } catch (IllegalArgumentException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "%s method %s cannot take %s: %s"
                            .formatted(annotation, describe(method), type.getName(), e.getMessage()),
                    e);
        }
    }

    private Method lifecycleMethod(String methodName) {
        if (methodName.isEmpty()) {
            return null;
        }
        return AnnotatedMethods.find(target.type(), methodName)
                .map(MethodJobHandler::accessible)
                .orElseThrow(() ->
                        new IllegalArgumentException("@OrthJob '%s' on %s names the method %s(), which does not exist"
                                .formatted(name, target.type().getName(), methodName)));
    }

    private Method retryDelayMethod(String annotation, String methodName) {
        if (methodName.isEmpty()) {
            return null;
        }
        return AnnotatedMethods.find(target.type(), methodName, int.class)
                .or(() -> AnnotatedMethods.find(target.type(), methodName, int.class, Throwable.class))
                .filter(method -> method.getReturnType() == Duration.class)
                .map(MethodJobHandler::accessible)
                .orElseThrow(() -> new IllegalArgumentException(
                        "%1$s on %2$s: retryDelay names '%3$s', but %4$s has no method Duration %3$s(int) or Duration %3$s(int, Throwable)"
                                .formatted(
                                        annotation,
                                        describe(execute),
                                        methodName,
                                        target.type().getName())));
    }

    static Method accessible(Method method) {
        try {
            method.setAccessible(true);
            return method;
        } catch (InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "%s cannot be called; open its package to io.orth.executor".formatted(describe(method)), e);
        }
    }

    static String describe(Method method) {
        return "%s.%s()".formatted(method.getDeclaringClass().getName(), method.getName());
    }
}
