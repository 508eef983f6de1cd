package io.orth.admin.kernel;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * What ends a state that nothing else ends: declared on the state, for each that is not terminal. It goes by the age of the row and by
 * what executors say, because the owner of the row may be alive and unaware. A test plants each state and sees it end.
 */
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
@Repeatable(Rescue.List.class)
public @interface Rescue {

    /** The state was chosen by a person and waits for none but that person's next decision. */
    String PERSON = "a person";

    /** The background loop, by its name, or {@link #PERSON}. */
    String by();

    /** In which situation. */
    String when();

    /** After how long. */
    String after();

    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.FIELD)
    @interface List {
        Rescue[] value();
    }
}
