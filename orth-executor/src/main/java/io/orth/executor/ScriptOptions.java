package io.orth.executor;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;

/**
 * Which source text an executor agrees to run. The admin cannot change it: code that travels with a trigger runs with the rights
 * of the executor, so the executor's owner decides.
 *
 * @param enabled whether scripts run
 * @param glueEnabled whether source runs inside the executor's JVM (Groovy)
 * @param interpreters the program for each language: a path, or a name to look for on the {@code PATH}
 */
public record ScriptOptions(boolean enabled, boolean glueEnabled, Map<ScriptLanguage, String> interpreters) {

    /** Nothing runs. */
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
