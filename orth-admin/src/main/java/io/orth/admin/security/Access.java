package io.orth.admin.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Minimum role required to call a controller method. Every controller method has exactly one of {@code @Access}, {@link Public} and
 * {@link ExecutorToken}; otherwise the admin does not start.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Access {

    Role value();

    /** Returns which calls leave a row in the audit log. */
    Audited audited() default Audited.CHANGES;

    /** Set of a route's calls that are audited. */
    enum Audited {
        /** Calls whose HTTP method may change something. */
        CHANGES,
        /** All calls, because the response is a secret. */
        ALWAYS,
        /**
         * Calls of people, and rejected calls of programs. Programs call such a route all the time, and the effects have records of their
         * own.
         */
        BY_PEOPLE,
        /** No calls, because the route changes nothing, whatever its HTTP method. */
        NEVER
    }

    /** Marks a method that any caller may call. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Public {}

    /**
     * Marks a method called by executors. No session, CSRF check or audit applies: the controller must check the token of the executor's
     * group before it does anything else.
     */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ExecutorToken {}
}
