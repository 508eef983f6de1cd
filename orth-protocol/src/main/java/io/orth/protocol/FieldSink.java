package io.orth.protocol;

import java.util.function.Consumer;

/** Takes the fields of a message in order; null values are left out. */
interface FieldSink {

    FieldSink put(String name, Object value);

    /** @param fields gives those of the object; null where there is none */
    FieldSink putObject(String name, Consumer<FieldSink> fields);
}
