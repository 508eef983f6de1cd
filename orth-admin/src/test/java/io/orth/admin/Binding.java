package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Binds keys and values to a configuration record as Spring Boot does at the start. */
public final class Binding {

    private Binding() {}

    public static <T> T bind(String prefix, Class<T> type, String... keysAndValues) {
        Map<String, String> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(prefix + "." + keysAndValues[i], keysAndValues[i + 1]);
        }
        return new Binder(new MapConfigurationPropertySource(values)).bindOrCreate(prefix, type);
    }

    /** The value is rejected, and the root cause names the key. */
    public static void assertRefused(String prefix, Class<?> type, String key, String value) {
        assertThatThrownBy(() -> bind(prefix, type, key, value)).rootCause().hasMessageContaining(prefix + "." + key);
    }
}
