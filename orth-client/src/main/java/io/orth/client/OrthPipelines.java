package io.orth.client;

import io.orth.client.AdminCall.Query;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Pipelines: declaring them, starting runs, and what operators do when one is stuck.
 *
 * <p>A definition is declared as often as one likes, say by each instance of an application that starts; the same again is the same
 * version. A submission has a key, so it is repeated when its answer is lost, on another admin if need be, and becomes one run.
 */
public final class OrthPipelines {

    private static final String PATH = "/api/pipelines";
    private static final String RUNS = "/api/pipeline-runs";
    private static final String TASKS = "/api/pipeline-tasks";
    private static final String OUTBOX = "/api/outbox";
    private static final String LIMIT = "limit";
    private static final String AFTER = "after";

    private final Admins admins;
    private final Function<Object, String> payloads;

    OrthPipelines(Admins admins, Function<Object, String> payloads) {
        this.admins = admins;
        this.payloads = payloads;
    }

    // --- definitions

    public PipelineList list() {
        return Answers.read(admins.call(AdminCall.get(PATH)), PipelineList::of);
    }

    public PipelineInfo get(String name) {
        return pipeline(AdminCall.get(path(name)));
    }

    /** Makes the pipeline, or a new version of it where something has changed. Runs that are under way keep theirs. */
    public PipelineInfo define(String name, PipelineDefinition definition) {
        return pipeline(AdminCall.declare(path(name), definition.toBody()));
    }

    /** The same by a file as the guide shows it. With a {@code version} in it that is not the current one, nothing is written. */
    public PipelineInfo defineYaml(String name, String yaml) {
        return pipeline(AdminCall.declare(path(name), yaml));
    }

    private PipelineInfo pipeline(AdminCall call) {
        return Answers.read(admins.call(call), PipelineInfo::of);
    }

    // --- starting a run

    /** Asks for a run. It is kept safe when this returns; its work has not begun. */
    public SubmittedRun submit(String name, Submission submission) {
        String key = submission.key() == null ? UUID.randomUUID().toString() : submission.key();
        return submitted(AdminCall.once(path(name) + "/runs", key, submission.toBody(payloads)));
    }

    /** Checks and estimates what a submission would lead to, and starts nothing. */
    public SubmittedRun dryRun(String name, Submission submission) {
        Map<String, Object> body = submission.toBody(payloads);
        body.put("dryRun", true);
        return submitted(AdminCall.put(path(name) + "/runs", body));
    }

    private SubmittedRun submitted(AdminCall call) {
        return Answers.read(admins.call(call), SubmittedRun::of);
    }

    // --- looking at runs

    /**
     * The newest first.
     *
     * @param pipeline null for those of all pipelines
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
     */
    public Page<PipelineRunInfo> runs(String pipeline, String status, int limit, String after) {
        return runs(pipeline, status, Map.of(), limit, after);
    }

    /** @param meta which all of them have, such as {@code Map.of("tenant", "acme")} */
    public Page<PipelineRunInfo> runs(
            String pipeline, String status, Map<String, String> meta, int limit, String after) {
        String path = new Query()
                .with("pipeline", pipeline)
                .with("status", status)
                .withMeta(meta)
                .with(LIMIT, limit)
                .with(AFTER, after)
                .after(RUNS);
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, PipelineRunInfo::of));
    }

    public PipelineRunInfo run(long rootJobId) {
        return run(AdminCall.get(run(rootJobId, "")));
    }

    /**
     * In the order they were made.
     *
     * @param stage null for those of all stages
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
     */
    public Page<PipelineTaskInfo> tasks(long rootJobId, String stage, String status, int limit, String after) {
        return tasks(rootJobId, stage, status, Map.of(), limit, after);
    }

    /** @param meta which all of them have, such as {@code Map.of("language", "en")} */
    public Page<PipelineTaskInfo> tasks(
            long rootJobId, String stage, String status, Map<String, String> meta, int limit, String after) {
        return tasks(new Query()
                .with("stage", stage)
                .with("status", status)
                .withMeta(meta)
                .with(LIMIT, limit)
                .with(AFTER, after)
                .after(run(rootJobId, "/tasks")));
    }

    /** Tasks of all runs that are not over, those first that have not changed for the longest time. */
    public List<PipelineTaskInfo> oldestOpenTasks(int limit) {
        return tasks(new Query().with(LIMIT, limit).after(TASKS)).items();
    }

    private Page<PipelineTaskInfo> tasks(String path) {
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, PipelineTaskInfo::of));
    }

    /** All that is known about a run in one document, as JSON. */
    public String postMortem(long rootJobId) {
        return admins.text(AdminCall.get(run(rootJobId, "/post-mortem")));
    }

    // --- deciding about runs

    /**
     * From when this returns none of its tasks begins; those that run are told to stop.
     *
     * @param reason null where there is none to tell
     */
    public PipelineRunInfo cancel(long rootJobId, String reason) {
        Map<String, Object> body = new HashMap<>();
        body.put("reason", reason);
        return run(AdminCall.post(run(rootJobId, "/cancel"), body));
    }

    /**
     * Sets the result and the links of a run as a whole, in place of those set before, whatever the run's status.
     *
     * @param result JSON as text, or anything that can be JSON, at most 8 KB; null for none
     * @param links up to 20
     */
    public PipelineRunInfo setResult(long rootJobId, Object result, List<RunLink> links) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("result", result == null ? null : Submission.tree("result", result, payloads));
        body.put("links", links.stream().map(RunLink::toBody).toList());
        return run(AdminCall.declare(run(rootJobId, "/result"), body));
    }

    /** Gives all its failed tasks another chance; a run that has failed goes on. */
    public Retried retry(long rootJobId) {
        return retry(rootJobId, Map.of());
    }

    /** The same for those of a stage. */
    public Retried retryStage(long rootJobId, String stage) {
        return retry(rootJobId, Map.of("stage", stage));
    }

    /** The same for those of up to 1,000 tasks that have failed. */
    public Retried retryTasks(long rootJobId, Collection<Long> taskIds) {
        return retry(rootJobId, Map.of("taskIds", texts(taskIds)));
    }

    private Retried retry(long rootJobId, Map<String, Object> which) {
        return Answers.read(admins.call(AdminCall.post(run(rootJobId, "/retry"), which)), Retried::of);
    }

    private PipelineRunInfo run(AdminCall call) {
        return Answers.read(admins.call(call), PipelineRunInfo::of);
    }

    /** Says what would be done about a run now, and does nothing. */
    public Reconciliation reconcile(long rootJobId) {
        return reconcile(rootJobId, true);
    }

    /** Does, or with {@code dryRun} only says, at once what would be done about a run sooner or later, with a full audit. */
    public Reconciliation reconcile(long rootJobId, boolean dryRun) {
        String path = PATH + "/reconcile";
        Map<String, Object> body = Map.of("rootJobId", Long.toString(rootJobId), "dryRun", dryRun);
        AdminCall call = dryRun ? AdminCall.put(path, body) : AdminCall.post(path, body);
        return Answers.read(admins.call(call), Reconciliation::of);
    }

    // --- switches

    /** From when this returns nothing new begins of any pipeline; what runs goes on. */
    public void pauseAll() {
        admins.call(AdminCall.put(PATH + "/pause"));
    }

    public void resumeAll() {
        admins.call(AdminCall.put(PATH + "/resume"));
    }

    /** From when this returns nothing new of it begins; what runs goes on. */
    public PipelineInfo pause(String name) {
        return pipeline(AdminCall.put(path(name) + "/pause"));
    }

    public PipelineInfo resume(String name) {
        return pipeline(AdminCall.put(path(name) + "/resume"));
    }

    public PipelineInfo pauseStage(String name, String stage) {
        return pipeline(AdminCall.put(path(name, stage) + "/pause"));
    }

    public PipelineInfo resumeStage(String name, String stage) {
        return pipeline(AdminCall.put(path(name, stage) + "/resume"));
    }

    // --- outbox

    /**
     * What was given up to be sent until somebody decides, the oldest first.
     *
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
     */
    public Page<OutboxInfo> parked(int limit, String after) {
        String path = new Query().with(LIMIT, limit).with(AFTER, after).after(OUTBOX);
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, OutboxInfo::of));
    }

    /** Has those of up to 1,000 entries sent again that are parked, as a retry of their tasks; returns how many. */
    public int redrive(Collection<Long> ids) {
        return redrive(Map.of("ids", texts(ids)));
    }

    /** Has all sent again that is parked; returns how many. */
    public int redriveAll() {
        return redrive(Map.of("all", true));
    }

    private int redrive(Map<String, Object> which) {
        return Answers.read(
                admins.call(AdminCall.post(OUTBOX + "/redrive", which)), json -> json.requiredInteger("redriven"));
    }

    private static List<String> texts(Collection<Long> ids) {
        return ids.stream().map(id -> Long.toString(id)).toList();
    }

    private static String run(long rootJobId, String rest) {
        return "%s/%d%s".formatted(RUNS, rootJobId, rest);
    }

    private static String path(String name) {
        return "%s/%s".formatted(PATH, segment("pipeline", name));
    }

    private static String path(String name, String stage) {
        return "%s/stages/%s".formatted(path(name), segment("stage", stage));
    }

    private static String segment(String field, String name) {
        return Checks.inPath(field, Checks.shortName(field, name));
    }
}
