package io.orth.protocol;

import java.util.Collection;
import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Writes the fields of a message directly as JSON. */
final class JsonFields implements FieldSink {

    private final JsonGenerator json;

    JsonFields(JsonGenerator json) {
        this.json = json;
    }

    @Override
    public JsonFields put(String name, Object value) {
        if (value instanceof String text) {
            json.writeStringProperty(name, text);
        } else if (value instanceof Integer number) {
            json.writeNumberProperty(name, number);
        } else if (value instanceof Long number) {
            json.writeNumberProperty(name, number);
        } else if (value instanceof Boolean flag) {
            json.writeBooleanProperty(name, flag);
        } else if (value != null) {
            throw new IllegalArgumentException(value.getClass() + " is not a field's value");
        }
        return this;
    }

    @Override
    public JsonFields putObject(String name, Consumer<FieldSink> fields) {
        if (fields != null) {
            json.writeObjectPropertyStart(name);
            fields.accept(this);
            json.writeEndObject();
        }
        return this;
    }

    @Override
    public JsonFields putMessages(String name, Collection<? extends ToldMessage> messages) {
        json.writeArrayPropertyStart(name);
        for (ToldMessage message : messages) {
            write(message);
        }
        json.writeEndArray();
        return this;
    }

    @Override
    public JsonFields putNumbers(String name, Collection<Long> numbers) {
        json.writeArrayPropertyStart(name);
        for (Long number : numbers) {
            json.writeNumber(number);
        }
        json.writeEndArray();
        return this;
    }

    @Override
    public JsonFields putTextList(String name, Collection<String> texts) {
        if (!texts.isEmpty()) {
            json.writeArrayPropertyStart(name);
            texts.forEach(json::writeString);
            json.writeEndArray();
        }
        return this;
    }

    void write(ToldMessage message) {
        json.writeStartObject();
        message.tell(this);
        json.writeEndObject();
    }
}
