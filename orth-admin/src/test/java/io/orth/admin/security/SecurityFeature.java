package io.orth.admin.security;

import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Lets tests, also of other packages, use this feature without the rest of the admin. */
public final class SecurityFeature {

    private SecurityFeature() {}

    public static Class<?> configuration() {
        return SecurityConfiguration.class;
    }

    static SecurityProperties defaults() {
        return bind(Map.of());
    }

    static SecurityProperties bind(Map<String, ?> settings) {
        return new Binder(new MapConfigurationPropertySource(settings))
                .bindOrCreate("orth.security", SecurityProperties.class);
    }
}
