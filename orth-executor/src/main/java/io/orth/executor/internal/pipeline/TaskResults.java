package io.orth.executor.internal.pipeline;

import io.orth.executor.RunResult;
import io.orth.executor.internal.CleanText;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TaskKey;
import io.orth.protocol.TaskResult;
import io.orth.protocol.TaskResult.Outcome;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** What a run's result says about the task. */
public final class TaskResults {

    static final String RESULT_REFUSED = "RESULT_REFUSED";

    private static final int LONGEST_MESSAGE = 1_000;
    private static final int MOST_DETAIL_BYTES = 8_192;

    private TaskResults() {}

    /** @param task null if its handler was never called */
    public static TaskResult of(TaskKey key, LiveTask task, RunResult result, Duration took) {
        if (result instanceof RunResult.Succeeded) {
            return TaskResult.ok(
                    key.taskId(),
                    key.attempt(),
                    task == null ? null : task.result(),
                    task == null ? List.of() : task.children(),
                    took.toMillis());
        }
        String code = task == null || task.problem() == null ? codeOf(result) : task.problem();
        return new TaskResult(
                key.taskId(),
                key.attempt(),
                result instanceof RunResult.FailedForGood ? Outcome.PERMANENT : Outcome.FAILED,
                null,
                List.of(),
                problemOf(code, result.text() == null ? "" : result.text()),
                result instanceof RunResult.RetryAfter later ? MessageResult.millisOf(later.delay()) : null,
                took.toMillis());
    }

    /** Instead of a result that no admin takes. */
    static TaskResult refused(TaskResult result, String reason) {
        return new TaskResult(
                result.taskId(),
                result.attempt(),
                Outcome.PERMANENT,
                null,
                List.of(),
                problemOf(RESULT_REFUSED, reason),
                null,
                result.runMillis());
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

    /** The message is the text's first line; the detail is all of it, where that is more. */
    private static TaskResult.Problem problemOf(String code, String text) {
        String clean = CleanText.of(cut(text, MOST_DETAIL_BYTES));
        String line = clean.lines().findFirst().orElse("");
        String message = cut(line, LONGEST_MESSAGE);
        return new TaskResult.Problem(code, message, message.equals(clean) ? null : bounded(clean));
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

    /** About how many bytes it takes in a request. */
    static int weightOf(TaskResult result) {
        int weight = 200 + lengthOf(result.result());
        if (result.error() != null) {
            weight +=
                    lengthOf(result.error().message()) + lengthOf(result.error().detail());
        }
        for (var child : result.children()) {
            weight += 100 + child.targetId().length() + lengthOf(child.params());
        }
        return weight;
    }

    private static int lengthOf(String text) {
        return text == null ? 0 : text.length();
    }
}
