package io.orth.admin.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * The mechanism that ends a state that would otherwise last forever, declared on each non-terminal state. It relies on the age of the row
 * and on executor reports, because the owner of the row may be alive but unaware. A test creates each state and verifies that it ends.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@Repeatable(Rescue.List.class)
public @interface Rescue {

    /** The state was chosen by a person and ends only by that person's next decision. */
    String PERSON = "a person";

    /** Returns the name of the background loop, or {@link #PERSON}. */
    String by();

    /** Returns the situation in which the state would not end by itself. */
    String when();

    /** Returns the time after which the state is ended. */
    String after();

    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.FIELD)
    @interface List {
        Rescue[] value();
    }
}
