package io.orth.executor.internal.script;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.internal.job.CurrentRun;
import io.orth.executor.internal.job.RunScope;
import java.io.IOException;
import java.nio.file.Path;

/** One version of a job's script. Several runs may execute it concurrently. */
final class ScriptJobHandler implements JobHandler {

    private final ScriptFile file;
    private final String text;
    private final ScriptFiles files;
    private final ScriptRunner runner;

    ScriptJobHandler(ScriptFile file, String source, ScriptFiles files, ScriptRunner runner) {
        this.file = file;
        // Sources may be edited in browsers on Windows, and a shell treats the carriage return as part of the last
        // word.
        this.text = file.language() == ScriptLanguage.SHELL ? source.replace("\r", "") : source;
        this.files = files;
        this.runner = runner;
    }

    @Override
    public void init() throws IOException {
        files.acquire(file, text);
    }

    @Override
    public RunResult execute(OrthJobContext context) throws Exception {
        RunScope run = CurrentRun.find().orElseThrow(() -> new IllegalStateException("a script needs a run to log to"));
        Path path = files.restore(file, text);
        return runner.run(file.language(), path, context, run.log());
    }

    @Override
    public void destroy() throws IOException {
        files.release(file);
    }

    @Override
    public String toString() {
        return "script " + file.name();
    }
}
