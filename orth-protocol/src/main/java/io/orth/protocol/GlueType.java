package io.orth.protocol;

/** What does the work of a job: a handler the executor has, or source text the admin keeps. */
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
