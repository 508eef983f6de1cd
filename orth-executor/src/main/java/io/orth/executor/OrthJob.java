package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Makes a method a job handler. It returns nothing or a {@link RunResult} and takes one of:
 *
 * <ul>
 *   <li>nothing,
 *   <li>the parameter as a {@code String},
 *   <li>the {@link OrthJobContext},
 *   <li>a record, which the parameter fills as JSON: components are text, numbers, booleans, enums, {@code java.time} values,
 *       records, or {@code List}, {@code Set}, {@code Map<String, …>} and {@code Optional} of these. An empty parameter counts as
 *       {@code {}}. A missing component is null (an {@code Optional}: empty); a missing primitive, a field that the record does
 *       not have or a value that does not fit fails the run with a message that names the field.
 * </ul>
 *
 * <p>The method may be private or static, inherited, or a default method of an interface. Called on several threads at once
 * where several jobs name the handler, or one job runs concurrently.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthJob {

    /** The handler's name, as jobs refer to it: up to 200 printable characters, no space at either end. */
    String value();

    /** Name of a method without parameters of the same class, called before the first lane uses the handler. */
    String init() default "";

    /** Name of a method without parameters of the same class, called after the last lane has left the handler. */
    String destroy() default "";
}
