package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Turns a method into the worker of a queue. It is called for each message, with the payload as its parameter. The method returns
 * nothing or a {@link RunResult} and takes no parameter, a {@code String}, the {@link OrthJobContext} or a record, as
 * {@link OrthJob} describes. A payload that does not fit the record is a non-retryable failure of the message.
 *
 * <p>An exception fails the attempt. The queue's retry settings decide whether and when the next attempt follows, unless
 * {@link FailForGoodException}, {@link RetryAfterException} or {@link #retryDelay} does. A message may be delivered more than
 * once, for example after a crash. The method is called concurrently if {@link #concurrency} is above 1. In a Spring Boot
 * application, the texts may contain placeholders.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthQueue {

    /** The queue's name: 1 to 100 letters, digits and {@code . _ - :}. */
    String value();

    /** Maximum number of messages that this executor processes concurrently: 1 to 10,000. */
    int concurrency() default 1;

    /** The timeout of an attempt, such as {@code 30s}, {@code 500ms} or {@code PT30S}. Default, and {@code -}: none. */
    String timeout() default "";

    /**
     * Name of a method of the same class that decides the delay before the next attempt, as {@link RetryDelay} does. It takes the
     * number of the failed attempt as an {@code int} and, optionally, the error as a {@code Throwable}. It returns a
     * {@code Duration} or null. Default: the queue's backoff decides.
     */
    String retryDelay() default "";
}
