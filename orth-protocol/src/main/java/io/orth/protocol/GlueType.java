package io.orth.protocol;

/** Kinds of executable code of a job: a handler of the executor, or source text stored by the admin. */
public enum GlueType {
    /** A handler registered by name in the executor. */
    BEAN,
    GLUE_GROOVY,
    GLUE_SHELL,
    GLUE_PYTHON,
    GLUE_PYTHON2,
    GLUE_PHP,
    GLUE_NODEJS,
    GLUE_POWERSHELL
}
