package io.orth.executor.internal.script;

import io.orth.executor.ScriptLanguage;

/** The file of one version of a job's script. Its name consists of numbers. */
record ScriptFile(int jobId, long version, ScriptLanguage language) {

    String name() {
        return jobId + "_" + version + "." + language.extension();
    }
}
