package io.orth.executor;

import io.orth.protocol.GlueType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The languages in which a job's source can be a script. A script is stored in a file and run by an interpreter on the executor's
 * machine.
 */
public enum ScriptLanguage {
    SHELL(GlueType.GLUE_SHELL, "sh", "bash"),
    PYTHON(GlueType.GLUE_PYTHON, "py", "python3"),
    PYTHON2(GlueType.GLUE_PYTHON2, "py", "python"),
    NODE(GlueType.GLUE_NODEJS, "js", "node"),
    PHP(GlueType.GLUE_PHP, "php", "php"),
    POWERSHELL(GlueType.GLUE_POWERSHELL, "ps1", "pwsh");

    private final GlueType glueType;
    private final String extension;
    private final String defaultInterpreter;

    ScriptLanguage(GlueType glueType, String extension, String defaultInterpreter) {
        this.glueType = glueType;
        this.extension = extension;
        this.defaultInterpreter = defaultInterpreter;
    }

    /** Returns the language of this source type; empty if the type is not a script. */
    public static Optional<ScriptLanguage> of(GlueType type) {
        return Arrays.stream(values())
                .filter(language -> language.glueType == type)
                .findFirst();
    }

    /** Returns the source type that triggers use for this language. */
    public GlueType glueType() {
        return glueType;
    }

    /** Returns the file extension, without the dot. */
    public String extension() {
        return extension;
    }

    /** Returns the interpreter to use unless the options specify another. */
    public String defaultInterpreter() {
        return defaultInterpreter;
    }

    /** Returns the interpreter's arguments before the script's file. */
    public List<String> interpreterArguments() {
        // Without -File, Windows PowerShell interprets the job's parameter as code.
        return this == POWERSHELL ? List.of("-NoProfile", "-NonInteractive", "-File") : List.of();
    }

    /** Returns the configuration property of the interpreter. */
    public String property() {
        return "orth.executor.scripts." + name().toLowerCase(Locale.ROOT);
    }
}
