package io.orth.executor;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Settings for source code that arrives with triggers. Such code runs with the executor's privileges, so only the executor's
 * configuration can allow it; the admin cannot.
 *
 * @param enabled whether scripts may run
 * @param glueEnabled whether source may run inside the executor's JVM (Groovy)
 * @param interpreters the interpreter for each language: a path, or a name to look up on the {@code PATH}
 */
public record ScriptOptions(boolean enabled, boolean glueEnabled, Map<ScriptLanguage, String> interpreters) {

    /** Allows no source code. */
    public static final ScriptOptions OFF = new ScriptOptions(false, false, Map.of());

    public ScriptOptions {
        Map<ScriptLanguage, String> all = new EnumMap<>(ScriptLanguage.class);
        for (ScriptLanguage language : ScriptLanguage.values()) {
            String interpreter = interpreters.getOrDefault(language, language.defaultInterpreter());
            if (interpreter.isBlank() || interpreter.indexOf('\0') >= 0) {
                throw new IllegalArgumentException("scripts.%s must name a program, got '%s'"
                        .formatted(language.name().toLowerCase(Locale.ROOT), interpreter));
            }
            all.put(language, interpreter.strip());
        }
        interpreters = Map.copyOf(all);
    }

    public String interpreter(ScriptLanguage language) {
        return interpreters.get(language);
    }
}
