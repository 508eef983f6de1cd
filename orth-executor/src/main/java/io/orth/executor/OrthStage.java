package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Turns a method into the worker of a pipeline stage. It is called for each task. It takes, in any order and each at most once,
 * the {@link PipelineTaskContext}, the {@link OrthJobContext}, and the task's parameters as a {@code String} or a record.
 * Parameters that do not fit the record are a non-retryable failure of the task. The return value is the task's result; see
 * {@link StageHandler}.
 *
 * <p>An exception fails the attempt. The stage's retry settings decide whether and when the next attempt follows, unless
 * {@link FailForGoodException} or {@link RetryAfterException} does. A task may be delivered more than once, for example after a
 * crash. The method is called concurrently if {@link #concurrency} is above 1. In a Spring Boot application, the texts may
 * contain placeholders.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthStage {

    /** The pipeline's name. */
    String pipeline();

    /** The stage's name. */
    String stage();

    /** Maximum number of tasks that this executor processes concurrently: 1 to 10,000. */
    int concurrency() default 1;

    /** The timeout of an attempt, such as {@code 30s}, {@code 500ms} or {@code PT30S}. Default, and {@code -}: none. */
    String timeout() default "";

    /** The queue that the pipeline's definition specifies for the stage. Default: {@code pipeline.{pipeline}.{stage}}. */
    String queue() default "";
}
