package io.orth.protocol;

import java.util.function.Consumer;
import tools.jackson.core.JsonGenerator;

/** Writes the fields of a message as they come. */
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
}
