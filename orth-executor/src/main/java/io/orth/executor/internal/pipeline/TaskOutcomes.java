package io.orth.executor.internal.pipeline;

import io.orth.executor.RunResult;
import io.orth.executor.internal.CleanText;
import io.orth.protocol.TaskOutcome;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Converts a run's result to the outcome of the task. */
public final class TaskOutcomes {

    private static final int LONGEST_MESSAGE = 1_000;
    private static final int MOST_DETAIL_BYTES = 8_192;

    private TaskOutcomes() {}

    public static TaskOutcome of(LiveTask task, RunResult result) {
        if (result instanceof RunResult.Succeeded) {
            return new TaskOutcome(task.result(), task.children(), null);
        }
        String code = task.problem() == null ? codeOf(result) : task.problem();
        return new TaskOutcome(null, List.of(), problemOf(code, result.text() == null ? "" : result.text()));
    }

    private static String codeOf(RunResult result) {
        if (result instanceof RunResult.TimedOut) {
            return "TIMEOUT";
        }
        if (result instanceof RunResult.FailedForGood) {
            return "FAILED_FOR_GOOD";
        }
        return result instanceof RunResult.RetryAfter ? "RETRY_LATER" : "HANDLER_FAILED";
    }

    /** The message is the first line of the text; the detail is the whole text if it has more lines. */
    private static TaskOutcome.Problem problemOf(String code, String text) {
        String clean = CleanText.of(cut(text, MOST_DETAIL_BYTES));
        String line = clean.lines().findFirst().orElse("");
        String message = cut(line, LONGEST_MESSAGE);
        return new TaskOutcome.Problem(code, message, message.equals(clean) ? null : bounded(clean));
    }

    private static String bounded(String text) {
        String shorter = text;
        while (shorter.getBytes(StandardCharsets.UTF_8).length > MOST_DETAIL_BYTES) {
            shorter = cut(shorter, shorter.length() * 3 / 4);
        }
        return shorter;
    }

    private static String cut(String text, int characters) {
        if (text.length() <= characters) {
            return text;
        }
        return text.substring(0, Character.isHighSurrogate(text.charAt(characters - 1)) ? characters - 1 : characters);
    }
}
