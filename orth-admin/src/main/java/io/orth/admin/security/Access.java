package io.orth.admin.security;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The least role that may call a controller method. Every controller method carries exactly one of {@code @Access},
 * {@link Public} and {@link ExecutorToken}, or the admin does not start.
 */
@Documented
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface Access {

    Role value();

    /** Which calls leave a row in the audit log. */
    Audited audited() default Audited.CHANGES;

    /** Which calls of a route are audited. */
    enum Audited {
        /** Those whose HTTP method may change something. */
        CHANGES,
        /** All: the answer is a secret. */
        ALWAYS,
        /** Those of people, and what was refused to programs: they do it all day long, and what comes of it has its own record. */
        BY_PEOPLE,
        /** None: it changes nothing, whatever its HTTP method. */
        NEVER
    }

    /** Anyone may call it. */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface Public {}

    /**
     * Executors call it. No session, CSRF check or audit applies: the controller itself must check the token of the
     * executor's group before it does anything else.
     */
    @Documented
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface ExecutorToken {}
}
