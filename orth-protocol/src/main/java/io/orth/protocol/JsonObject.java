package io.orth.protocol;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reader of a JSON object: a missing or null field takes its default; a field of the wrong type is rejected by name. */
public final class JsonObject {

    private final Map<?, ?> fields;

    private JsonObject(Map<?, ?> fields) {
        this.fields = fields;
    }

    static JsonObject of(Object value, String what) {
        if (value instanceof Map<?, ?> map) {
            return new JsonObject(map);
        }
        throw new WireFormatException(what + " must be a JSON object");
    }

    static List<JsonObject> listOf(Object value, String what) {
        if (!(value instanceof List<?> list)) {
            throw new WireFormatException(what + " must be a JSON array");
        }
        List<JsonObject> objects = new ArrayList<>(list.size());
        for (Object item : list) {
            objects.add(of(item, "each item of " + what));
        }
        return objects;
    }

    public boolean has(String name) {
        return fields.get(name) != null;
    }

    /** Returns the parsed value; null if the field is missing. */
    Object raw(String name) {
        return fields.get(name);
    }

    /** Returns the field as JSON text, whatever its type; null if it is missing. */
    public String json(String name) {
        Object value = fields.get(name);
        return value == null ? null : new String(Json.write(value), StandardCharsets.UTF_8);
    }

    /** Returns a string, number or boolean as text; null if the field is missing. */
    public String text(String name) {
        return text(name, null);
    }

    public String text(String name, String otherwise) {
        Object value = fields.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof String || value instanceof Number || value instanceof Boolean) {
            return value.toString();
        }
        throw wrong(name, "text");
    }

    public String requiredText(String name) {
        String value = text(name);
        if (value == null || value.isBlank()) {
            throw new WireFormatException("'%s' is missing".formatted(name));
        }
        return value;
    }

    public long number(String name, long otherwise) {
        return optionalNumber(name).orElse(otherwise);
    }

    public long requiredNumber(String name) {
        return optionalNumber(name).orElseThrow(() -> new WireFormatException("'%s' is missing".formatted(name)));
    }

    /** Returns a whole number. Digits in a string are accepted, because some clients of this wire send them. */
    public Optional<Long> optionalNumber(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value instanceof Integer || value instanceof Long) {
            return Optional.of(((Number) value).longValue());
        }
        if (value instanceof String digits) {
            try {
                return Optional.of(Long.parseLong(digits.strip()));
            } catch (NumberFormatException e) {
                throw wrong(name, "a whole number");
            }
        }
        throw wrong(name, "a whole number");
    }

    public int integer(String name, int otherwise) {
        return toInteger(name, number(name, otherwise));
    }

    public int requiredInteger(String name) {
        return toInteger(name, requiredNumber(name));
    }

    private static int toInteger(String name, long value) {
        if (value != (int) value) {
            throw wrong(name, "a 32-bit number");
        }
        return (int) value;
    }

    public double decimal(String name, double otherwise) {
        Object value = fields.get(name);
        if (value == null) {
            return otherwise;
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        throw wrong(name, "a number");
    }

    public boolean flag(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(name, "true or false");
    }

    public Optional<JsonObject> object(String name) {
        Object value = fields.get(name);
        return value == null ? Optional.empty() : Optional.of(of(value, "'%s'".formatted(name)));
    }

    public List<JsonObject> objects(String name) {
        Object value = fields.get(name);
        return value == null ? List.of() : listOf(value, "'%s'".formatted(name));
    }

    /** Returns an object that contains only texts; empty if the field is missing. */
    public Map<String, String> texts(String name) {
        JsonObject object = object(name).orElse(null);
        if (object == null) {
            return Map.of();
        }
        Map<String, String> texts = new LinkedHashMap<>();
        for (Object key : object.fields.keySet()) {
            String value = object.text((String) key);
            if (value != null) {
                texts.put((String) key, value);
            }
        }
        return texts;
    }

    public List<Long> numbers(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list)) {
            throw wrong(name, "an array of whole numbers");
        }
        List<Long> numbers = new ArrayList<>(list.size());
        for (Object item : list) {
            if (!(item instanceof Integer || item instanceof Long)) {
                throw wrong(name, "an array of whole numbers");
            }
            numbers.add(((Number) item).longValue());
        }
        return numbers;
    }

    /** Returns a list of texts; empty if the field is missing. */
    public List<String> textList(String name) {
        Object value = fields.get(name);
        if (value == null) {
            return List.of();
        }
        if (!(value instanceof List<?> list) || !list.stream().allMatch(String.class::isInstance)) {
            throw wrong(name, "an array of texts");
        }
        return list.stream().map(String.class::cast).toList();
    }

    private static WireFormatException wrong(String name, String expected) {
        return new WireFormatException("'%s' must be %s".formatted(name, expected));
    }
}
