package io.orth.protocol;

import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/** Receives the fields of a message in order; null values are omitted. */
interface FieldSink {

    /** @param value a text, a number or a boolean */
    FieldSink put(String name, Object value);

    /** @param fields writes the fields of the object; null if there is no object */
    FieldSink putObject(String name, Consumer<FieldSink> fields);

    FieldSink putMessages(String name, Collection<? extends ToldMessage> messages);

    FieldSink putNumbers(String name, Collection<Long> numbers);

    /** Omits the field if the list is empty. */
    FieldSink putTextList(String name, Collection<String> texts);

    /** Omits the field if the map is empty. */
    default FieldSink putTexts(String name, Map<String, String> texts) {
        return putObject(name, texts.isEmpty() ? null : fields -> texts.forEach(fields::put));
    }
}
