package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a job handler. It takes nothing, the parameter as a {@code String}, or the {@link OrthJobContext}, and
 * returns nothing or a {@link RunResult}.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthJob {

    /** The handler's name, as jobs refer to it. */
    String value();

    /** Name of a method without parameters of the same class, called before the first lane uses the handler. */
    String init() default "";

    /** Name of a method without parameters of the same class, called after the last lane has left the handler. */
    String destroy() default "";
}
