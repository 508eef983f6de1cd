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
 * Operations on pipelines: definitions, runs, retries and the outbox.
 *
 * <p>Definitions can be sent repeatedly, for example by each instance of an application at startup; an unchanged definition keeps its
 * version. A submission has an idempotency key: it is repeated if its response is lost, possibly on another admin, and still creates only
 * one run.
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

    /** Creates the pipeline, or a new version if something has changed. Unfinished runs keep their version. */
    public PipelineInfo define(String name, PipelineDefinition definition) {
        return pipeline(AdminCall.declare(path(name), definition.toBody()));
    }

    /**
     * Defines the pipeline by a YAML file as shown in the guide. If the file contains a {@code version} other than the current one, the
     * call is rejected.
     */
    public PipelineInfo defineYaml(String name, String yaml) {
        return pipeline(AdminCall.declare(path(name), yaml));
    }

    private PipelineInfo pipeline(AdminCall call) {
        return Answers.read(admins.call(call), PipelineInfo::of);
    }

    // --- submitting a run

    /** Submits a run. The run is stored when this method returns; its tasks start later. */
    public SubmittedRun submit(String name, Submission submission) {
        String key = submission.key() == null ? UUID.randomUUID().toString() : submission.key();
        return submitted(AdminCall.once(path(name) + "/runs", key, submission.toBody(payloads)));
    }

    /** Validates and estimates a submission without starting a run. */
    public SubmittedRun dryRun(String name, Submission submission) {
        Map<String, Object> body = submission.toBody(payloads);
        body.put("dryRun", true);
        return submitted(AdminCall.put(path(name) + "/runs", body));
    }

    private SubmittedRun submitted(AdminCall call) {
        return Answers.read(admins.call(call), SubmittedRun::of);
    }

    // --- queries

    /**
     * Returns runs, newest first.
     *
     * @param pipeline null for all pipelines
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    public Page<PipelineRunInfo> runs(String pipeline, String status, int limit, String after) {
        return runs(pipeline, status, Map.of(), limit, after);
    }

    /** @param meta the entries that a matching run has, such as {@code Map.of("tenant", "acme")} */
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
     * Returns the tasks of a run in the order of their creation.
     *
     * @param stage null for all stages
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    public Page<PipelineTaskInfo> tasks(long rootJobId, String stage, String status, int limit, String after) {
        return tasks(rootJobId, stage, status, Map.of(), limit, after);
    }

    /** @param meta the entries that a matching task has, such as {@code Map.of("language", "en")} */
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

    /** Returns tasks of all unfinished runs, longest unchanged first. */
    public List<PipelineTaskInfo> oldestOpenTasks(int limit) {
        return tasks(new Query().with(LIMIT, limit).after(TASKS)).items();
    }

    private Page<PipelineTaskInfo> tasks(String path) {
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, PipelineTaskInfo::of));
    }

    /** Returns all data about a run in one JSON document. */
    public String postMortem(long rootJobId) {
        return admins.text(AdminCall.get(run(rootJobId, "/post-mortem")));
    }

    // --- changing runs

    /**
     * Cancels a run. After this method returns, no task of the run starts; running tasks are asked to stop.
     *
     * @param reason null for none
     */
    public PipelineRunInfo cancel(long rootJobId, String reason) {
        Map<String, Object> body = new HashMap<>();
        body.put("reason", reason);
        return run(AdminCall.post(run(rootJobId, "/cancel"), body));
    }

    /**
     * Replaces the result and the links of a run as a whole, whatever the run's status.
     *
     * @param result JSON text, or any value that can be written as JSON, at most 8 KB; null for none
     * @param links up to 20
     */
    public PipelineRunInfo setResult(long rootJobId, Object result, List<RunLink> links) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("result", result == null ? null : Submission.tree("result", result, payloads));
        body.put("links", links.stream().map(RunLink::toBody).toList());
        return run(AdminCall.declare(run(rootJobId, "/result"), body));
    }

    /** Retries all failed tasks of a run; reopens the run if it has failed. */
    public Retried retry(long rootJobId) {
        return retry(rootJobId, Map.of());
    }

    /** Retries the failed tasks of a stage. */
    public Retried retryStage(long rootJobId, String stage) {
        return retry(rootJobId, Map.of("stage", stage));
    }

    /** Retries the failed tasks among these, up to 1,000. */
    public Retried retryTasks(long rootJobId, Collection<Long> taskIds) {
        return retry(rootJobId, Map.of("taskIds", texts(taskIds)));
    }

    private Retried retry(long rootJobId, Map<String, Object> which) {
        return Answers.read(admins.call(AdminCall.post(run(rootJobId, "/retry"), which)), Retried::of);
    }

    private PipelineRunInfo run(AdminCall call) {
        return Answers.read(admins.call(call), PipelineRunInfo::of);
    }

    /** Reports what reconciling the run would do, without doing it. */
    public Reconciliation reconcile(long rootJobId) {
        return reconcile(rootJobId, true);
    }

    /**
     * Reconciles a run immediately, with a full audit.
     *
     * @param dryRun whether only to report what would be done
     */
    public Reconciliation reconcile(long rootJobId, boolean dryRun) {
        String path = PATH + "/reconcile";
        Map<String, Object> body = Map.of("rootJobId", Long.toString(rootJobId), "dryRun", dryRun);
        AdminCall call = dryRun ? AdminCall.put(path, body) : AdminCall.post(path, body);
        return Answers.read(admins.call(call), Reconciliation::of);
    }

    // --- pausing

    /** Pauses all pipelines. After this method returns, no new task starts; running tasks continue. */
    public void pauseAll() {
        admins.call(AdminCall.put(PATH + "/pause"));
    }

    public void resumeAll() {
        admins.call(AdminCall.put(PATH + "/resume"));
    }

    /** Pauses a pipeline. After this method returns, none of its tasks starts; running tasks continue. */
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
     * Returns parked outbox entries, oldest first.
     *
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    public Page<OutboxInfo> parked(int limit, String after) {
        String path = new Query().with(LIMIT, limit).with(AFTER, after).after(OUTBOX);
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, OutboxInfo::of));
    }

    /** Sends the parked entries among these again, up to 1,000, which retries their tasks. Returns the number of entries. */
    public int redrive(Collection<Long> ids) {
        return redrive(Map.of("ids", texts(ids)));
    }

    /** Sends all parked entries again. Returns the number of entries. */
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
