package io.orth.e2e;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The admins of a class's tests reach their database through PgBouncer in transaction mode; those of all tests with
 * {@code -Dorth.pooler=true}.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ExtendWith(Pooler.class)
@interface BehindPooler {}
