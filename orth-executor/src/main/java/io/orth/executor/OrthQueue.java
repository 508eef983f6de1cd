package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method the worker of a queue: called for each message, with its payload as the parameter. It returns nothing or a
 * {@link RunResult} and takes nothing, a {@code String}, the {@link OrthJobContext} or a record, as {@link OrthJob} describes;
 * a payload that does not fit the record fails the message for good.
 *
 * <p>An exception fails the attempt, and the queue's settings decide whether and when the next one follows, unless
 * {@link FailForGoodException}, {@link RetryAfterException} or {@link #retryDelay} does. A message may come more than once, after a crash for example. The method is called
 * on several threads at once where the concurrency is more than 1. In a Spring Boot application texts may hold placeholders.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthQueue {

    /** The queue's name: 1 to 100 letters, digits and {@code . _ - :}. */
    String value();

    /** How many messages this executor works on at once: 1 to 10,000. */
    int concurrency() default 1;

    /** How long a message may take, written {@code 30s}, {@code 500ms} or {@code PT30S}; as long as it wants unless set, or {@code -}. */
    String timeout() default "";

    /**
     * Name of a method of the same class that decides how long the next attempt waits after a failure, as {@link RetryDelay} does: it
     * takes the number of the attempt as an {@code int}, and the error as a {@code Throwable} if it wants, and returns a
     * {@code Duration} or null. The queue's backoff decides unless set.
     */
    String retryDelay() default "";
}
