package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.PipelineTask;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.pipeline.PipelineTasks.Attempt;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.protocol.LogRange;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What handlers wrote in the latest attempts at tasks. */
@RestController
class TaskLogApi {

    private final PipelineTasks tasks;
    private final TaskLogs logs;

    TaskLogApi(PipelineTasks tasks, TaskLogs logs) {
        this.tasks = tasks;
        this.logs = logs;
    }

    /** At most {@code limit} bytes from byte {@code from} on, never cut inside a character. */
    @GetMapping("/api/pipeline-tasks/{id}/log")
    @Access(Role.VIEWER)
    AttemptLog read(
            @PathVariable String id,
            @RequestParam(defaultValue = "0") String from,
            @RequestParam(defaultValue = "65536") String limit)
            throws InterruptedException {
        int bytes = RunLogApi.piece(limit);
        long offset = Ids.parseLong("from", from);
        // Its status is read before its log, so that no last line is missed.
        PipelineTask task = tasks.get(Ids.parseLong("id", id));
        Attempt attempt = tasks.lastAttempt(task.id())
                .orElseThrow(() -> OrthException.notFound("attempt at pipeline task", task.id()));
        LogRange range = logs.piece(attempt, offset, bytes);
        boolean goesOn =
                task.status() == PipelineTaskStatus.RUNNING && task.logId() != null && task.logId() == attempt.logId();
        return AttemptLog.of(attempt.logId(), range, goesOn, logs.zone(attempt));
    }
}
