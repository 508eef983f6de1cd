package io.orth.admin.api;

import io.orth.admin.api.TaskLogs.TaskLogView;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.PipelineTask;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.LogFilter;
import io.orth.admin.systemlog.LogLine;
import io.orth.admin.systemlog.SystemLogArchive;
import io.orth.admin.transition.TransitionJournal;
import io.orth.protocol.StateTransition;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint that collects everything known about a pipeline run in one document, for failure analysis. */
@RestController
class PostMortemApi {

    private static final int MOST_TASKS = 100;
    private static final int MOST_LINES = 1_000;
    private static final int MOST_SYSTEM_LINES = 100;
    private static final int MOST_TASK_LOGS = 20;

    /** How long after the end of a run the system log is searched for lines about it. */
    private static final Duration AFTER_THE_END = Duration.ofMinutes(10);

    private final PipelineRuns runs;
    private final PipelineTasks tasks;
    private final TransitionJournal journal;
    private final SystemLogArchive archive;
    private final TaskLogs taskLogs;

    PostMortemApi(
            PipelineRuns runs,
            PipelineTasks tasks,
            TransitionJournal journal,
            SystemLogArchive archive,
            TaskLogs taskLogs) {
        this.runs = runs;
        this.tasks = tasks;
        this.journal = journal;
        this.archive = archive;
        this.taskLogs = taskLogs;
    }

    /**
     * Everything known about a run.
     *
     * @param failedTasks the first hundred
     * @param executionLog the latest thousand lines, newest first
     * @param content the first thousand entries
     * @param systemLog lines that contain the run's id or its trace id, newest first, at most a hundred
     * @param taskLogs logs of the latest attempts of up to twenty tasks, failed ones first: the last 16 KB each, if the executor can be
     *     asked
     * @param truncated whether there is more of any of these
     */
    record PostMortem(
            String traceId,
            PipelineRunView run,
            List<PipelineTaskView> failedTasks,
            List<PipelineTasks.LogLine> executionLog,
            List<PipelineTasks.Content> content,
            List<StateTransition> transitions,
            List<SystemLogApi.LineView> systemLog,
            List<TaskLogView> taskLogs,
            boolean truncated) {}

    /** Beginning of a list. */
    private record Part<T>(List<T> some, boolean more) {

        /** @param found one item more than {@code most}, if there is one */
        static <T> Part<T> of(List<T> found, int most) {
            return new Part<>(found.stream().limit(most).toList(), found.size() > most);
        }
    }

    @GetMapping("/api/pipeline-runs/{id}/post-mortem")
    @Access(Role.VIEWER)
    PostMortem collect(@PathVariable String id) throws InterruptedException {
        PipelineRun run = runs.get(Ids.parseLong("id", id));
        Part<PipelineTask> failed = failed(run);
        Part<PipelineTasks.LogLine> lines = Part.of(tasks.latestLog(run.id(), MOST_LINES + 1), MOST_LINES);
        Part<PipelineTasks.Content> content =
                Part.of(tasks.content(run.id(), null, null, 0, MOST_LINES + 1), MOST_LINES);
        Part<LogLine> systemLog = systemLog(run);
        Part<PipelineTasks.Attempt> attempts = Part.of(tasks.attempts(run.id(), MOST_TASK_LOGS + 1), MOST_TASK_LOGS);
        List<TaskLogView> logs = taskLogs.read(run, attempts.some());
        return new PostMortem(
                run.traceId(),
                PipelineRunView.whole(run),
                failed.some().stream()
                        .map(task -> PipelineTaskView.of(task, run))
                        .toList(),
                lines.some(),
                content.some(),
                journal.list(EntityKind.PIPELINE_RUN, run.id()),
                systemLog.some().stream().map(SystemLogApi.LineView::of).toList(),
                logs,
                Stream.of(failed, lines, content, systemLog, attempts).anyMatch(Part::more)
                        || logs.stream().anyMatch(TaskLogView::isCut));
    }

    private Part<PipelineTask> failed(PipelineRun run) {
        return Part.of(
                tasks.list(new PipelineTasks.Filter(
                        run.id(), null, PipelineTaskStatus.FAILED, null, null, null, 0, MOST_TASKS + 1)),
                MOST_TASKS);
    }

    private Part<LogLine> systemLog(PipelineRun run) {
        SystemLogArchive.Found named = search(run, Long.toString(run.id()));
        SystemLogArchive.Found traced = search(run, run.traceId());
        List<LogLine> all = Stream.concat(named.lines().stream(), traced.lines().stream())
                .distinct()
                .sorted(LogLine.BY_TIME.reversed())
                .toList();
        Part<LogLine> part = Part.of(all, MOST_SYSTEM_LINES);
        return new Part<>(part.some(), part.more() || named.next() != null || traced.next() != null);
    }

    private SystemLogArchive.Found search(PipelineRun run, String text) {
        Instant end = run.times().finishedAt();
        return archive.search(new LogFilter(
                null,
                null,
                null,
                text,
                run.times().createdAt(),
                end == null ? null : end.plus(AFTER_THE_END),
                null,
                MOST_SYSTEM_LINES));
    }
}
