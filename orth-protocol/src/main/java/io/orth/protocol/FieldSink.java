package io.orth.protocol;

import java.util.Collection;
import java.util.Map;
import java.util.function.Consumer;

/** Takes the fields of a message in order; null values are left out. */
interface FieldSink {

    /** @param value a text, a number or a boolean */
    FieldSink put(String name, Object value);

    /** @param fields gives those of the object; null where there is none */
    FieldSink putObject(String name, Consumer<FieldSink> fields);

    FieldSink putMessages(String name, Collection<? extends ToldMessage> messages);

    FieldSink putNumbers(String name, Collection<Long> numbers);

    /** Left out if there are none. */
    FieldSink putTextList(String name, Collection<String> texts);

    /** Left out where there are none. */
    default FieldSink putTexts(String name, Map<String, String> texts) {
        return putObject(name, texts.isEmpty() ? null : fields -> texts.forEach(fields::put));
    }
}
