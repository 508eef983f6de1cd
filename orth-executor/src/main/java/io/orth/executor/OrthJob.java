package io.orth.executor;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Turns a method into a job handler. The method returns nothing or a {@link RunResult} and takes one of:
 *
 * <ul>
 *   <li>no parameter,
 *   <li>the job's parameter as a {@code String},
 *   <li>the {@link OrthJobContext},
 *   <li>a record, filled from the job's parameter, which must be JSON. Components are text, numbers, booleans, enums,
 *       {@code java.time} values, records, or {@code List}, {@code Set}, {@code Map<String, …>} and {@code Optional} of these. An
 *       empty parameter counts as {@code {}}. A missing component is null, or empty if it is an {@code Optional}. A missing
 *       primitive, an unknown field or a value of the wrong type fails the run with a message that names the field.
 * </ul>
 *
 * <p>The method may be private or static, inherited, or a default method of an interface. It is called concurrently if several
 * jobs use the handler or if one job runs with {@link #concurrency} above 1.
 *
 * <p>If {@link #cron}, {@link #fixedRate}, {@link #fixedDelay} or {@link #job} is set, the annotation also declares a job that
 * runs the handler. The admin creates that job when the executor registers. A later version of the code updates the job, unless a
 * user has changed it in the admin; in that case the admin shows the differences. Durations are written {@code 30s}, {@code 5m},
 * {@code PT30S} or as a number of milliseconds; {@code -} means none. In a Spring Boot application, the texts may contain
 * placeholders.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface OrthJob {

    /** The handler's name, which jobs refer to: up to 200 printable characters, no leading or trailing space. */
    String value();

    /** Name of a method of the same class without parameters. It is called before the first job thread uses the handler. */
    String init() default "";

    /** Name of a method of the same class without parameters. It is called after the last job thread has stopped using the handler. */
    String destroy() default "";

    /**
     * The name of the declared job, unique in the executor group. Default: the handler's name. Set without a schedule, it
     * declares a job that has none.
     */
    String job() default "";

    /** The schedule of the declared job: a Quartz cron expression of six or seven fields, seconds first. */
    String cron() default "";

    /** The time zone of {@link #cron}, such as {@code Europe/Berlin}. Default: the time zone of this JVM. */
    String zone() default "";

    /** The interval between two fires of the declared job, independent of how long a run takes. */
    String fixedRate() default "";

    /** The delay of the declared job from the end of its last run to the next fire. */
    String fixedDelay() default "";

    /** The parameter that each run of the declared job receives. */
    String param() default "";

    /** How the declared job handles misfires. */
    MisfirePolicy misfire() default MisfirePolicy.FIRE_ONCE;

    /** How a new run is handled while the declared job is busy. */
    BlockStrategy block() default BlockStrategy.SERIAL;

    /** Where a run makes the declared job busy, for {@link #block}. */
    BlockScope blockScope() default BlockScope.EXECUTOR;

    /** Maximum number of concurrent runs on one executor with {@link BlockStrategy#CONCURRENT}. */
    int concurrency() default 1;

    /** How the executor of a run is chosen. */
    RouteStrategy route() default RouteStrategy.ROUND;

    /** The timeout of a run, in whole seconds. Default: none. */
    String timeout() default "";

    /** Maximum number of attempts of a run, the first included: 1 to 100. */
    int maxAttempts() default 1;

    /** The delay before the first retry; it doubles with each further retry. Default: 10 seconds. */
    String backoff() default "";

    /**
     * Name of a method of the same class that decides the delay before the next attempt, as {@link RetryDelay} does. It takes the
     * number of the failed attempt as an {@code int} and, optionally, the error as a {@code Throwable}. It returns a
     * {@code Duration} or null. Default: the job's backoff decides.
     */
    String retryDelay() default "";
}
