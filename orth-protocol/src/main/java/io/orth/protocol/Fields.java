package io.orth.protocol;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Collects the fields of a message as a map. */
final class Fields implements FieldSink {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    @Override
    public Fields put(String name, Object value) {
        if (value != null) {
            fields.put(name, value);
        }
        return this;
    }

    @Override
    public Fields putObject(String name, Consumer<FieldSink> nested) {
        if (nested != null) {
            Fields object = new Fields();
            nested.accept(object);
            fields.put(name, object.toMap());
        }
        return this;
    }

    @Override
    public Fields putMessages(String name, Collection<? extends ToldMessage> messages) {
        return put(name, messages.stream().map(ToldMessage::toJson).toList());
    }

    @Override
    public Fields putNumbers(String name, Collection<Long> numbers) {
        return put(name, List.copyOf(numbers));
    }

    @Override
    public Fields putTextList(String name, Collection<String> texts) {
        return put(name, texts.isEmpty() ? null : List.copyOf(texts));
    }

    Map<String, Object> toMap() {
        return fields;
    }
}
