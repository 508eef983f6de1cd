package io.orth.admin.api;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineRun;
import io.orth.admin.pipeline.PipelineRuns;
import io.orth.admin.pipeline.PipelineTaskStatus;
import io.orth.admin.pipeline.PipelineTasks;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.LogFilter;
import io.orth.admin.systemlog.SystemLogArchive;
import io.orth.admin.transition.TransitionJournal;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** All that is known about a run, in one document, for whoever has to find out what happened. */
@RestController
class PostMortemApi {

    private static final int MOST_TASKS = 100;
    private static final int MOST_LINES = 1_000;
    private static final int MOST_SYSTEM_LINES = 100;

    private final PipelineRuns runs;
    private final PipelineTasks tasks;
    private final TransitionJournal journal;
    private final SystemLogArchive archive;
    private final JsonMapper json;

    PostMortemApi(
            PipelineRuns runs,
            PipelineTasks tasks,
            TransitionJournal journal,
            SystemLogArchive archive,
            JsonMapper json) {
        this.runs = runs;
        this.tasks = tasks;
        this.journal = journal;
        this.archive = archive;
        this.json = json;
    }

    /**
     * What is known about a run.
     *
     * @param failedTasks the first hundred
     * @param executionLog the latest thousand lines, the latest first
     * @param content the first thousand pieces
     * @param systemLog lines that name the run, the latest first, a hundred at most
     * @param truncated whether there is more of any of these
     */
    record PostMortem(
            String traceId,
            PipelineRunView run,
            List<PipelineTaskView> failedTasks,
            List<PipelineRunsApi.LogLineView> executionLog,
            List<PipelineRunsApi.ContentView> content,
            List<TransitionView> transitions,
            List<SystemLogApi.LineView> systemLog,
            boolean truncated) {}

    @GetMapping("/api/pipeline-runs/{id}/post-mortem")
    @Access(Role.VIEWER)
    PostMortem collect(@PathVariable String id) {
        PipelineRun run = runs.get(Ids.parseLong("id", id));
        List<PipelineTaskView> failed = tasks
                .list(new PipelineTasks.Filter(
                        run.id(), null, PipelineTaskStatus.FAILED, null, null, null, 0, MOST_TASKS))
                .stream()
                .map(task -> PipelineTaskView.of(task, run, json))
                .toList();
        List<PipelineTasks.LogLine> lines = tasks.latestLog(run.id(), MOST_LINES);
        List<PipelineTasks.Content> content = tasks.content(run.id(), null, null, 0, MOST_LINES);
        return new PostMortem(
                run.traceId(),
                PipelineRunView.whole(run, json),
                failed,
                lines.stream()
                        .map(line -> PipelineRunsApi.LogLineView.of(line, json))
                        .toList(),
                content.stream().map(PipelineRunsApi.ContentView::of).toList(),
                journal.list(EntityKind.PIPELINE_RUN, run.id()).stream()
                        .map(TransitionView::of)
                        .toList(),
                archive
                        .search(new LogFilter(
                                null,
                                null,
                                null,
                                Long.toString(run.id()),
                                run.times().created(),
                                null,
                                null,
                                MOST_SYSTEM_LINES))
                        .lines()
                        .stream()
                        .map(SystemLogApi.LineView::of)
                        .toList(),
                failed.size() == MOST_TASKS || lines.size() == MOST_LINES || content.size() == MOST_LINES);
    }
}
