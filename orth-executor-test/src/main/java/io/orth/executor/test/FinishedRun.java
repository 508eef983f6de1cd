package io.orth.executor.test;

import io.orth.executor.RunResult;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The outcome of a run.
 *
 * @param result the result that an executor would report to the admin
 * @param logText the run's log as the console would show it; each line starts with time and thread
 */
public record FinishedRun(RunResult result, String logText) {

    private static final Pattern TIME_AND_THREAD =
            Pattern.compile("^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3} \\[[^\\]]*] ");

    public boolean isSuccess() {
        return result instanceof RunResult.Succeeded;
    }

    /** Returns the lines of the log without time and thread, which differ from run to run. */
    public List<String> log() {
        return logText.lines()
                .map(line -> TIME_AND_THREAD.matcher(line).replaceFirst(""))
                .toList();
    }
}
