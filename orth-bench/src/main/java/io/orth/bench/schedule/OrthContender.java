package io.orth.bench.schedule;

import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.BenchProgram;
import io.orth.bench.installation.Patience;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Orth as users run it: a packaged admin and an executor, each a process. */
final class OrthContender implements Contender {

    private static final Duration START = Duration.ofMinutes(2);

    /** A job like the first, for each further number; whatever columns jobs have. */
    private static final String COPIES = """
            do $$
            declare columns text;
            begin
                select string_agg(quote_ident(column_name), ', ') into columns
                  from information_schema.columns
                 where table_name = 'orth_job' and is_identity = 'NO' and column_name <> 'name';
                execute format('insert into orth_job (name, %s) select ''job-'' || n, %s from orth_job, generate_series(%s, %s) n where id = %s',
                               columns, columns, FIRST, LAST, ORIGINAL);
            end $$
            """;

    private static final Map<String, Object> EVERY_SECOND =
            Map.of("type", "CRON", "cron", "* * * * * ?", "zone", "UTC");
    private static final Map<String, Object> AFTER_ITS_END = Map.of("type", "FIXED_DELAY", "interval", "PT0.1S");

    /** In the order in which everybody locks them. */
    private static final String STOP_ALL = """
            do $$
            begin
                perform from orth_job order by id for update;
                update orth_job set enabled = false, next_fire_at = null;
            end $$
            """;

    private static final String OPEN_RUNS = "select count(*) from orth_run";

    private final Path directory;
    private final Path seen;
    private final BenchAdmin admin;
    private String groupId;
    private BenchProgram executor;

    private OrthContender(BenchAdmin admin, Path directory) {
        this.admin = admin;
        this.directory = directory;
        this.seen = directory.resolve("seen");
    }

    /** Returns when both run; leaves nothing behind when they do not. */
    static OrthContender start(Path adminJar, BenchDatabase.Place database, Path directory) throws Exception {
        return start(adminJar, database, directory, List.of());
    }

    /** @param jvmOptions further ones, of the admin */
    static OrthContender start(Path adminJar, BenchDatabase.Place database, Path directory, List<String> jvmOptions)
            throws Exception {
        OrthContender orth = new OrthContender(BenchAdmin.start(adminJar, database, directory, jvmOptions), directory);
        try {
            orth.startExecutor();
            return orth;
        } catch (Exception e) {
            orth.close();
            throw e;
        }
    }

    private void startExecutor() throws Exception {
        groupId = admin.post("/api/groups", Map.of("name", "bench")).requiredText("id");
        String groupToken = admin.get("/api/groups/%s/token".formatted(groupId)).requiredText("token");
        executor = BenchProgram.ofClass(
                OrthProgram.class,
                directory.resolve("executor.log"),
                Map.of("ORTH_EXECUTOR_ACCESS_TOKEN", groupToken),
                admin.url(),
                directory.resolve("executor").toString(),
                seen.toString());
        Patience.await("executor", START, () -> {
            executor.checkAlive();
            return admin.get("/api/executors?groupId=" + groupId).objects("items").stream()
                    .anyMatch(one -> one.text("status").equals("ONLINE"));
        });
    }

    /** Makes jobs that are never due, which a scanner must not feel. */
    void addIdleJobs(int jobs) throws Exception {
        copies(createJob("idle", EVERY_SECOND), jobs, "idle");
    }

    @Override
    public void fire(int jobs, Instant first) throws Exception {
        fire(jobs, first, EVERY_SECOND);
    }

    /** Jobs that fire again shortly after they have ended. */
    void fireWithoutRest(int jobs, Instant first) throws Exception {
        fire(jobs, first, AFTER_ITS_END);
    }

    private void fire(int jobs, Instant first, Map<String, Object> schedule) throws Exception {
        int original = createJob("job-1", schedule);
        copies(original, jobs, "job");
        admin.execute(
                "update orth_job set enabled = true, next_fire_at = ? where handler = 'bench' and id <> " + original,
                first);
        // The scanner sleeps until something is due; this change wakes it.
        admin.post("/api/jobs/%d/resume".formatted(original), Map.of());
    }

    private int createJob(String name, Map<String, Object> schedule) throws IOException, InterruptedException {
        JsonObject job = admin.post(
                "/api/jobs",
                Map.of(
                        "name",
                        name,
                        "groupId",
                        groupId,
                        "handler",
                        name.equals("idle") ? "idle" : OrthProgram.HANDLER,
                        "schedule",
                        schedule,
                        "misfire",
                        "FIRE_ALL",
                        "enabled",
                        false));
        return Integer.parseInt(job.requiredText("id"));
    }

    private void copies(int original, int jobs, String prefix) throws SQLException {
        admin.execute(COPIES.replace("FIRST", "2")
                .replace("LAST", Integer.toString(jobs))
                .replace("ORIGINAL", Integer.toString(original))
                .replace("job-", prefix + "-"));
        admin.execute("analyze orth_job");
    }

    @Override
    public Sightings stop() throws Exception {
        admin.execute(STOP_ALL);
        Patience.await("end of all runs", Duration.ofMinutes(5), () -> admin.number(OPEN_RUNS) == 0);
        executor.close();
        return Sightings.read(seen);
    }

    /** How many due instants of a window are recorded as done. */
    long recorded(Instant from, Instant to) throws SQLException {
        return admin.number(
                "select count(*) from orth_run_all where status = 'SUCCESS' and schedule_time >= '%s' and schedule_time < '%s'"
                        .formatted(from, to));
    }

    /** How many runs ended in a window. */
    long ended(Instant from, Instant to) throws SQLException {
        return admin.number("select count(*) from orth_run_history where finished_at >= '%s' and finished_at < '%s'"
                .formatted(from, to));
    }

    long number(String sql) throws SQLException {
        return admin.number(sql);
    }

    @Override
    public void close() {
        if (executor != null) {
            executor.close();
        }
        admin.close();
    }
}
