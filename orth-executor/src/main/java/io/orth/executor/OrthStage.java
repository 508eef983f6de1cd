package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method the worker of a pipeline's stage: called for each task. It takes, in any order and each at most once, the
 * {@link PipelineTaskContext}, the {@link OrthJobContext}, and the task's parameters as a {@code String} or a record; parameters that do
 * not fit the record fail the task for good. What it returns is the task's result, as {@link StageHandler} describes.
 *
 * <p>What is thrown fails the attempt, and the stage's rule decides about the next one; {@link FailForGoodException} and
 * {@link RetryAfterException} decide themselves. A task may come more than once, after a crash for example. The method is called
 * on several threads at once where the concurrency is more than 1. In a Spring Boot application texts may hold placeholders.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthStage {

    /** The pipeline's name. */
    String pipeline();

    /** The stage's name. */
    String stage();

    /** How many tasks this executor works on at once: 1 to 10,000. */
    int concurrency() default 1;

    /** How long a task may take, written {@code 30s}, {@code 500ms} or {@code PT30S}; as long as it wants unless set, or {@code -}. */
    String timeout() default "";

    /** The queue that the pipeline's definition names for the stage; {@code pipeline.{pipeline}.{stage}} unless set. */
    String queue() default "";
}
