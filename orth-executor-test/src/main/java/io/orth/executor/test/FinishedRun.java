package io.orth.executor.test;

import io.orth.executor.RunResult;
import java.util.List;
import java.util.regex.Pattern;

/**
 * What a run has left behind.
 *
 * @param result what the admin would have been told
 * @param logText the run's log as the console would show it, each line with time and thread
 */
public record FinishedRun(RunResult result, String logText) {

    private static final Pattern TIME_AND_THREAD =
            Pattern.compile("^\\d{4}-\\d{2}-\\d{2} \\d{2}:\\d{2}:\\d{2}\\.\\d{3} \\[[^\\]]*] ");

    public boolean isSuccess() {
        return result instanceof RunResult.Succeeded;
    }

    /** The lines of the log without time and thread, which change from run to run. */
    public List<String> log() {
        return logText.lines()
                .map(line -> TIME_AND_THREAD.matcher(line).replaceFirst(""))
                .toList();
    }
}
