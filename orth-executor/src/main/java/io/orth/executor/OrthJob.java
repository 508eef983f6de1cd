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
 *
 * <p>With {@link #cron}, {@link #fixedRate}, {@link #fixedDelay} or {@link #job} it also declares a job that runs the handler:
 * the admin makes it when the executor registers. A later version of the code changes it, unless a person has changed it in the
 * admin meanwhile; the admin then shows what differs. Durations are written {@code 30s}, {@code 5m}, {@code PT30S} or as a
 * number of milliseconds; {@code -} stands for none. In a Spring Boot application texts may hold placeholders.
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

    /** The name of the declared job, unique in the executor's group; the handler's name unless set. Alone, it is a job without a schedule. */
    String job() default "";

    /** Declares a job with this schedule: six or seven fields of the Quartz dialect, seconds first. */
    String cron() default "";

    /** The time zone in which {@link #cron} is read, such as {@code Europe/Berlin}; that of this JVM unless set. */
    String zone() default "";

    /** Declares a job that fires at this interval, however long a run takes. */
    String fixedRate() default "";

    /** Declares a job that fires this long after its last run has ended. */
    String fixedDelay() default "";

    /** What each run of the declared job gets. */
    String param() default "";

    /** What becomes of fire times of the declared job that were missed. */
    MisfirePolicy misfire() default MisfirePolicy.FIRE_ONCE;

    /** What becomes of a run while the declared job is busy. */
    BlockStrategy block() default BlockStrategy.SERIAL;

    /** Where the declared job counts as busy for {@link #block}. */
    BlockScope blockScope() default BlockScope.EXECUTOR;

    /** How many runs at once on one executor, with {@link BlockStrategy#CONCURRENT}. */
    int concurrency() default 1;

    /** How the executor of a run is chosen. */
    RouteStrategy route() default RouteStrategy.ROUND;

    /** How long a run may take, in whole seconds; as long as it wants unless set. */
    String timeout() default "";

    /** How many attempts a run has, the first included: 1 to 100. */
    int maxAttempts() default 1;

    /** The delay before the first retry, which doubles with each further one; ten seconds unless set. */
    String backoff() default "";

    /**
     * Name of a method of the same class that decides how long the next attempt waits after a failure, as {@link RetryDelay} does: it
     * takes the number of the attempt as an {@code int}, and the error as a {@code Throwable} if it wants, and returns a
     * {@code Duration} or null. The job's backoff decides unless set.
     */
    String retryDelay() default "";
}
