package io.orth.testkit;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

/** The data source of a class's {@link TestDatabase} goes through a {@link PgBouncer}; its URL still does not. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface ThroughPgBouncer {

    /** How many sessions all clients share. */
    int sessions() default 3;

    /** Makes of the connections through the pooler what the tests work with. */
    Class<? extends UnaryOperator<DataSource>> as();
}
