package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.PipelineTask;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.queue.Message;
import io.orth.admin.queue.MessageStatus;
import io.orth.admin.queue.QueueReader;
import io.orth.admin.queue.Queues;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for the logs of messages and tasks: each attempt has its own log. */
@RestController
class AttemptLogsApi {

    private final Queues queues;
    private final QueueReader messages;
    private final RunLogs logs;
    private final PipelineTasks tasks;
    private final TaskLogs taskLogs;

    AttemptLogsApi(Queues queues, QueueReader messages, RunLogs logs, PipelineTasks tasks, TaskLogs taskLogs) {
        this.queues = queues;
        this.messages = messages;
        this.logs = logs;
        this.tasks = tasks;
        this.taskLogs = taskLogs;
    }

    /**
     * Chunk of the log of an attempt.
     *
     * @param logId log id of the attempt
     * @param end whether the attempt has finished and no text follows this chunk
     * @param zone id of the time zone of the times in the log; null if the executor does not report one
     */
    record AttemptLog(
            long logId, boolean exists, long from, long to, long size, String text, boolean end, String zone) {}

    /**
     * Returns at most {@code limit} bytes from byte {@code from}, never cut inside a character; of the last attempt unless {@code logId} is
     * given.
     */
    @GetMapping("/api/queues/{queue}/messages/{id}/log")
    @Access(Role.VIEWER)
    AttemptLog ofMessage(
            @PathVariable String queue,
            @PathVariable String id,
            @RequestParam(required = false) String logId,
            @RequestParam(defaultValue = "0") String from,
            @RequestParam(defaultValue = "65536") String limit)
            throws InterruptedException {
        int piece = RunLogApi.piece(limit);
        long offset = Ids.parseLong("from", from);
        Message message = messages.get(queues.get(queue), Ids.parseLong("id", id));
        Message.Attempt attempt = attempt(message, Ids.parseOptionalLong("logId", logId));
        LogRange range = logs.read(
                attempt.executorId(),
                new LogRangeRequest(attempt.logId(), attempt.startedAt().toEpochMilli(), offset, piece));
        boolean running = message.status() == MessageStatus.RUNNING && isOf(message.logId(), attempt.logId());
        return log(attempt.logId(), attempt.executorId(), range, running);
    }

    private static Message.Attempt attempt(Message message, Long logId) {
        List<Message.Attempt> attempts = message.attempts();
        if (attempts.isEmpty()) {
            throw OrthException.notFound("attempt at message", message.id());
        }
        return logId == null
                ? attempts.get(attempts.size() - 1)
                : attempts.stream()
                        .filter(attempt -> attempt.logId() == logId)
                        .findFirst()
                        .orElseThrow(() -> OrthException.notFound("log", logId));
    }

    /** Returns at most {@code limit} bytes from byte {@code from}, never cut inside a character; of the latest attempt. */
    @GetMapping("/api/pipeline-tasks/{id}/log")
    @Access(Role.VIEWER)
    AttemptLog ofTask(
            @PathVariable String id,
            @RequestParam(defaultValue = "0") String from,
            @RequestParam(defaultValue = "65536") String limit)
            throws InterruptedException {
        int piece = RunLogApi.piece(limit);
        long offset = Ids.parseLong("from", from);
        PipelineTask task = tasks.get(Ids.parseLong("id", id));
        PipelineTasks.Attempt attempt = tasks.lastAttempt(task.id())
                .orElseThrow(() -> OrthException.notFound("attempt at pipeline task", task.id()));
        LogRange range = taskLogs.piece(attempt, offset, piece);
        boolean running = task.status() == PipelineTaskStatus.RUNNING && isOf(task.logId(), attempt.logId());
        return log(attempt.logId(), attempt.executorId(), range, running);
    }

    private static boolean isOf(Long present, long attempt) {
        return present != null && present == attempt;
    }

    /** {@code running} must be read before the log, so that the last lines are not missed. */
    private AttemptLog log(long logId, long executorId, LogRange range, boolean running) {
        return new AttemptLog(
                logId,
                range.exists(),
                range.from(),
                range.to(),
                range.size(),
                range.text(),
                !running && range.to() >= range.size(),
                logs.zone(executorId));
    }
}
