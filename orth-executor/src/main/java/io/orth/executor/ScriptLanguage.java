package io.orth.executor;

import io.orth.protocol.GlueType;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The languages in which a job's source can be a script: a file that a program on the executor's machine interprets. */
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

    /** The language of source of this type; empty if such source is no script. */
    public static Optional<ScriptLanguage> of(GlueType type) {
        return Arrays.stream(values())
                .filter(language -> language.glueType == type)
                .findFirst();
    }

    /** What triggers call it. */
    public GlueType glueType() {
        return glueType;
    }

    /** How its files end, without a dot. */
    public String extension() {
        return extension;
    }

    /** The program that is used unless the options name another. */
    public String defaultInterpreter() {
        return defaultInterpreter;
    }

    /** What the interpreter gets before the script's file. */
    public List<String> interpreterArguments() {
        // Without -File, Windows' PowerShell would take the parameter for code.
        return this == POWERSHELL ? List.of("-NoProfile", "-NonInteractive", "-File") : List.of();
    }

    /** The property that names its interpreter. */
    public String property() {
        return "orth.executor.scripts." + name().toLowerCase(Locale.ROOT);
    }
}
