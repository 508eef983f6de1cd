package io.orth.executor.internal.pipeline;

import io.orth.executor.PipelineTaskContext;
import io.orth.executor.TaskOverException;
import io.orth.executor.internal.CleanText;
import io.orth.executor.internal.param.ParamMismatchException;
import io.orth.executor.internal.param.RecordParam;
import io.orth.protocol.ClaimedTask;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.TaskVerdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.UnaryOperator;

/** A task during its execution: its data and the reports of its handler so far. */
public final class LiveTask implements PipelineTaskContext {

    static final int MOST_BYTES = 8_192;

    private static final int LONGEST_REF = 500;
    private static final int LONGEST_STATUS = 32;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final ClaimedTask about;
    private final long logId;
    private final String traceparent;
    private final TaskPort port;
    private final JsonText json;
    private final Set<String> content = ConcurrentHashMap.newKeySet();
    private final Children children;

    /** The handler's return value as JSON; null if there is none. */
    private volatile String result;

    /** The code of the {@link TaskProblem} that ended the handler; null otherwise. */
    private volatile String problem;

    /**
     * @param logId log id of the message that carries the task
     * @param traceparent null if the message has none
     */
    LiveTask(ClaimedTask about, long logId, String traceparent, UnaryOperator<String> redaction, TaskPort port) {
        this.about = about;
        this.logId = logId;
        this.traceparent = traceparent;
        this.port = port;
        this.json = new JsonText(redaction);
        this.children = new Children(new JsonText(UnaryOperator.identity()));
        this.content.addAll(about.content());
    }

    // --- data of the task

    long logId() {
        return logId;
    }

    @Override
    public long taskId() {
        return about.taskId();
    }

    @Override
    public int attempt() {
        return about.attempt();
    }

    @Override
    public int maxAttempts() {
        return about.maxAttempts();
    }

    @Override
    public long rootJobId() {
        return about.rootJobId();
    }

    @Override
    public String pipeline() {
        return about.pipeline();
    }

    @Override
    public String stage() {
        return about.stage();
    }

    @Override
    public String targetType() {
        return about.targetType();
    }

    @Override
    public String targetId() {
        return about.targetId();
    }

    @Override
    public String params() {
        return orEmpty(about.params());
    }

    @Override
    public <T extends Record> T params(Class<T> type) {
        return read("params", params(), type);
    }

    @Override
    public Map<String, String> meta() {
        return about.meta();
    }

    @Override
    public String scope() {
        return orEmpty(about.scope());
    }

    @Override
    public String options() {
        return orEmpty(about.options());
    }

    @Override
    public <T extends Record> T options(Class<T> type) {
        return read("options", options(), type);
    }

    @Override
    public String createdBy() {
        return about.createdBy();
    }

    @Override
    public String traceId() {
        return about.traceId();
    }

    @Override
    public String traceparent() {
        return traceparent == null ? "00-%s-%016x-01".formatted(traceId(), taskId()) : traceparent;
    }

    private static String orEmpty(String text) {
        return text == null ? "" : text;
    }

    private static <T> T read(String what, String text, Class<T> type) {
        try {
            return type.cast(RecordParam.of(type).read(text));
        } catch (ParamMismatchException e) {
            throw new TaskProblem(TaskProblem.BAD_PARAMS, "%s: %s".formatted(what, e.getMessage()));
        }
    }

    // --- reports of the handler

    @Override
    public boolean hasContent(String ref) {
        return content.contains(ref);
    }

    @Override
    public boolean content(String ref, long size, String status) {
        check("ref", ref != null && isText(ref, LONGEST_REF), "1 to 500 characters", ref);
        check("size", size >= 0, "0 or more", size);
        check("status", status == null || isText(status, LONGEST_STATUS), "1 to 32 characters", status);
        if (content.contains(ref)) {
            return false;
        }
        TaskVerdict verdict = answer(port.content(new TaskContent.Item(taskId(), logId, ref, size, status)));
        content.add(ref);
        return verdict != TaskVerdict.KNOWN;
    }

    /** Returns whether the text is not blank, not too long, and free of characters that a database cannot store. */
    static boolean isText(String text, int longest) {
        return !text.isBlank() && text.length() <= longest && CleanText.of(text).equals(text);
    }

    private static void check(String field, boolean holds, String expected, Object value) {
        if (!holds) {
            throw new TaskProblem(
                    TaskProblem.BAD_CONTENT, "the content's %s must be %s, got '%s'".formatted(field, expected, value));
        }
    }

    @Override
    public void step(String text) {
        step(Map.of("text", text));
    }

    @Override
    public void step(Map<String, ?> facts) {
        String payload = jsonOf("step", facts, TaskProblem.BAD_CONTENT);
        answer(port.step(new TaskSteps.Item(taskId(), logId, payload)));
    }

    @Override
    public void child(String targetType, String targetId, Object params, Map<String, String> meta) {
        children.add(targetType, targetId, params, meta);
    }

    /** Waits for an admin's response, at most {@link #PATIENCE}. */
    private TaskVerdict answer(CompletableFuture<TaskVerdict> asked) {
        TaskVerdict verdict;
        try {
            verdict = asked.get(PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new TaskOverException("interrupted while an admin was told about the task");
        } catch (TimeoutException e) {
            throw new IllegalStateException("no admin could be told about the task within " + PATIENCE, e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the admins refuse: " + e.getCause().getMessage(), e);
        } finally {
            asked.cancel(false);
        }
        if (verdict == TaskVerdict.STALE || verdict == TaskVerdict.CANCELLED) {
            String reason = verdict == TaskVerdict.CANCELLED
                    ? "the task was cancelled"
                    : "the task is not at this attempt, or not with this executor any more";
            port.over(this, reason);
            throw new TaskOverException(reason);
        }
        return verdict;
    }

    // --- outcome

    /** Records the handler's return value. */
    void returned(Object value) {
        result = value == null ? null : jsonOf("result", value, TaskProblem.RESULT_TOO_LARGE);
    }

    private String jsonOf(String what, Object value, String codeIfTooLong) {
        String text;
        try {
            text = json.of(value);
        } catch (IllegalArgumentException e) {
            throw new TaskProblem(TaskProblem.BAD_RESULT, "the %s is no JSON: %s".formatted(what, e.getMessage()));
        }
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new TaskProblem(
                    codeIfTooLong,
                    "the %s has %d bytes as JSON, at most %d are kept; store it and say where with content(ref, size)"
                            .formatted(what, bytes, MOST_BYTES));
        }
        return text;
    }

    /** Records the exception that the handler threw. */
    void threw(Throwable thrown) {
        problem = thrown instanceof TaskProblem known ? known.code() : null;
    }

    public String result() {
        return result;
    }

    String problem() {
        return problem;
    }

    public List<TaskChild> children() {
        return children.all();
    }
}
