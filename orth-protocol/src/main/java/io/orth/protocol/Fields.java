package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/** Collects the fields of a message in order; null values are left out. */
final class Fields {

    private final Map<String, Object> fields = new LinkedHashMap<>();

    Fields put(String name, Object value) {
        if (value != null) {
            fields.put(name, value);
        }
        return this;
    }

    Map<String, Object> toMap() {
        return fields;
    }
}
