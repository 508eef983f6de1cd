package io.orth.executor;

import io.orth.executor.internal.param.ParamMismatchException;
import io.orth.executor.internal.param.RecordParam;
import io.orth.executor.internal.pipeline.TaskProblem;
import java.lang.reflect.InaccessibleObjectException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A handler that calls an {@link OrthStage} method of an object. */
final class MethodStageHandler implements StageHandler {

    private final MethodJobHandler.Target target;
    private final Method method;
    private final List<Argument> arguments;

    /** Converts the task to one argument of the method. */
    @FunctionalInterface
    private interface Argument {
        Object of(PipelineTaskContext task) throws ParamMismatchException;
    }

    /** @throws IllegalArgumentException if the method cannot be a handler; the message names the class and the method */
    MethodStageHandler(MethodJobHandler.Target target, Method method) {
        this.target = target;
        this.method = MethodJobHandler.accessible(method);
        this.arguments = argumentsOf(method);
    }

    @Override
    public Object execute(PipelineTaskContext task) throws Exception {
        Object[] values = new Object[arguments.size()];
        try {
            for (int i = 0; i < values.length; i++) {
                values[i] = arguments.get(i).of(task);
            }
        } catch (ParamMismatchException e) {
            throw new TaskProblem(TaskProblem.BAD_PARAMS, e.getMessage());
        }
        return MethodJobHandler.call(target, method, values);
    }

    private static List<Argument> argumentsOf(Method method) {
        Class<?>[] types = method.getParameterTypes();
        long ofParams = Arrays.stream(types)
                .filter(type -> type == String.class || (type.isRecord() && type != OrthJobContext.class))
                .count();
        if (ofParams > 1 || Arrays.stream(types).distinct().count() < types.length) {
            throw unfit(method);
        }
        List<Argument> arguments = new ArrayList<>();
        for (Class<?> type : types) {
            arguments.add(argumentOf(method, type));
        }
        return arguments;
    }

    private static Argument argumentOf(Method method, Class<?> type) {
        if (type == PipelineTaskContext.class) {
            return task -> task;
        }
        if (type == OrthJobContext.class) {
            return task -> OrthJobContext.current().orElseThrow();
        }
        if (type == String.class) {
            return PipelineTaskContext::params;
        }
        if (type.isRecord()) {
            return recordArgument(method, type);
        }
        throw unfit(method);
    }

    private static Argument recordArgument(Method method, Class<?> type) {
        try {
            RecordParam param = RecordParam.of(type);
            return task -> param.read(task.params());
        } catch (IllegalArgumentException | InaccessibleObjectException e) {
            throw new IllegalArgumentException(
                    "@OrthStage method %s cannot take %s: %s"
                            .formatted(MethodJobHandler.describe(method), type.getName(), e.getMessage()),
                    e);
        }
    }

    private static IllegalArgumentException unfit(Method method) {
        return new IllegalArgumentException(
                "@OrthStage method %s may take a PipelineTaskContext, an OrthJobContext and either a String or a record, each once"
                        .formatted(MethodJobHandler.describe(method)));
    }

    @Override
    public String toString() {
        return MethodJobHandler.describe(method);
    }
}
