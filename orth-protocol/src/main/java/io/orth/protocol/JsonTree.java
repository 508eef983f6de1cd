package io.orth.protocol;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

/** Reads and writes trees of maps, lists, texts, numbers and booleans as JSON. The parser limits their depth. */
final class JsonTree {

    private JsonTree() {}

    static Object read(JsonParser parser) {
        JsonToken token = parser.nextToken();
        if (token == null) {
            throw new WireFormatException("not valid JSON: the text is empty");
        }
        return value(parser, token);
    }

    private static Object value(JsonParser parser, JsonToken token) {
        return switch (token) {
            case START_OBJECT -> object(parser);
            case START_ARRAY -> array(parser);
            case VALUE_STRING -> parser.getString();
            case VALUE_NUMBER_INT -> parser.getNumberValue();
            case VALUE_NUMBER_FLOAT -> parser.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IllegalStateException("unexpected token " + token);
        };
    }

    private static Map<String, Object> object(JsonParser parser) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            fields.put(name, value(parser, parser.nextToken()));
        }
        return fields;
    }

    private static List<Object> array(JsonParser parser) {
        List<Object> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken(); token != JsonToken.END_ARRAY; token = parser.nextToken()) {
            items.add(value(parser, token));
        }
        return items;
    }

    static void write(JsonGenerator json, Object value) {
        if (value == null) {
            json.writeNull();
        } else if (value instanceof CharSequence || value instanceof Enum<?>) {
            json.writeString(value.toString());
        } else if (value instanceof Boolean truth) {
            json.writeBoolean(truth);
        } else if (value instanceof Number number) {
            writeNumber(json, number);
        } else if (value instanceof Map<?, ?> fields) {
            writeObject(json, fields);
        } else if (value instanceof Iterable<?> items) {
            json.writeStartArray();
            items.forEach(item -> write(json, item));
            json.writeEndArray();
        } else {
            throw new IllegalArgumentException("JSON has no value for " + value.getClass());
        }
    }

    private static void writeObject(JsonGenerator json, Map<?, ?> fields) {
        json.writeStartObject();
        fields.forEach((name, value) -> {
            if (value != null) {
                json.writeName(name.toString());
                write(json, value);
            }
        });
        json.writeEndObject();
    }

    private static void writeNumber(JsonGenerator json, Number number) {
        if (number instanceof Integer || number instanceof Short || number instanceof Byte) {
            json.writeNumber(number.intValue());
        } else if (number instanceof BigDecimal decimal) {
            json.writeNumber(decimal);
        } else if (number instanceof BigInteger integer) {
            json.writeNumber(integer);
        } else if (number instanceof Double || number instanceof Float) {
            json.writeNumber(number.doubleValue());
        } else {
            json.writeNumber(number.longValue());
        }
    }
}
