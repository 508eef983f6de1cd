package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.JsonObject;
import io.orth.testkit.PgBouncer;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Admins on one database and an executor that witnesses what it runs, all as processes. */
final class Cluster implements AutoCloseable {

    static final String GROUP = "witnesses";

    private final Database db;
    private final Optional<PgBouncer> pooler;
    /** The same database, as admins reach it. */
    private final Database reached;

    private final Path directory;
    private final List<String> settings;
    private final List<AdminProgram> admins = new ArrayList<>();
    private int started;
    private Program executor;
    private String groupId;
    private String token;

    Cluster(TestDatabase db, Path directory) {
        this(Database.of(db), directory, List.of());
    }

    /** @param settings of all admins, each like {@code orth.environment=test} */
    Cluster(Database db, Path directory, List<String> settings) {
        this.db = db;
        this.pooler = Pooler.before(db);
        this.reached = pooler.map(each -> new Database(each.url(), db.user(), db.password()))
                .orElse(db);
        this.directory = directory;
        this.settings = new ArrayList<>(settings);
        if (pooler.isPresent()) {
            this.settings.add(Pooler.SETTING);
        }
    }

    JdbcClient sql() {
        return db.sql();
    }

    AdminProgram addAdmin(String java) {
        return added(AdminProgram.start(java, newDirectory(), reached, settings));
    }

    AdminProgram addAdminToHaltAt(String faultPoint, String java) {
        return added(AdminProgram.startToHaltAt(faultPoint, java, newDirectory(), reached, settings));
    }

    private Path newDirectory() {
        return directory.resolve("admin-" + started++);
    }

    private AdminProgram added(AdminProgram admin) {
        admins.add(admin);
        return admin;
    }

    /** {@code kill -9} of one admin; returns its successor at the same address, which is starting. */
    AdminProgram killAndReplace(AdminProgram admin, String java) {
        admin.program().kill();
        return startAgain(admin, java);
    }

    /** Starts the successor of one that has ended, at the same address. */
    AdminProgram startAgain(AdminProgram admin, String java) {
        admins.remove(admin);
        return added(admin.startAgain(java, reached, settings));
    }

    void awaitReady() {
        admins.forEach(AdminProgram::awaitReady);
    }

    /** Makes the group and an executor of it that knows all admins started so far. */
    void startExecutor(Api api, String java) {
        groupId = api.post("/api/groups", Map.of("name", GROUP)).requiredText("id");
        token = api.get("/api/groups/%s/token".formatted(groupId)).requiredText("token");
        executor = addExecutor(api, java, "executor");
    }

    /** A further executor of the group, which is online; the caller closes it. */
    Program addExecutor(Api api, String java, String name) {
        Set<String> known = executors(api).map(one -> one.text("instanceId")).collect(Collectors.toSet());
        Program program = launchExecutor(java, name);
        // Counting online executors is not enough: another may be declared dead at the same moment.
        await().atMost(Duration.ofSeconds(60))
                .until(() -> executors(api)
                        .anyMatch(
                                one -> !known.contains(one.text("instanceId")) && "ONLINE".equals(one.text("status"))));
        return program;
    }

    /** The same without waiting for it. */
    Program launchExecutor(String java, String name) {
        Path own = directory.resolve(name);
        List<String> command = new ArrayList<>(List.of(
                java,
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                WitnessExecutor.class.getName(),
                GROUP,
                own.toString()));
        admins.forEach(admin -> command.add(admin.url()));
        makeDirectory(own);
        return Program.start(directory.resolve(name + ".log"), Map.of("ORTH_EXECUTOR_ACCESS_TOKEN", token), command);
    }

    private Stream<JsonObject> executors(Api api) {
        return api.items("/api/executors?groupId=" + groupId).stream();
    }

    Program executor() {
        return executor;
    }

    /** A job that fires every second and makes up for every second it missed. */
    void addJobEverySecond(Api api, String name) {
        api.post(
                "/api/jobs",
                Map.of(
                        "name",
                        name,
                        "groupId",
                        groupId,
                        "handler",
                        "witness",
                        "schedule",
                        Map.of("type", "FIXED_RATE", "interval", "PT1S"),
                        "misfire",
                        "FIRE_ALL"));
    }

    /** A job whose runs continue until {@link #releaseHeld}. */
    String addHeldJob(Api api, String name) {
        return addManualJob(api, name, "held");
    }

    void releaseHeld() {
        releaseHeld("executor");
    }

    /** Releases the runs held in this executor. */
    void releaseHeld(String name) {
        try {
            Files.createFile(directory.resolve(name).resolve(WitnessExecutor.RELEASE));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A job whose runs end only with their executor. */
    String addEndlessJob(Api api, String name) {
        return addManualJob(api, name, "endless");
    }

    private String addManualJob(Api api, String name, String handler) {
        return api.post("/api/jobs", Map.of("name", name, "groupId", groupId, "handler", handler))
                .requiredText("id");
    }

    /** Pauses all jobs; returns how many there were. */
    int stopAllJobs() {
        return sql().sql("update orth_job set enabled = false, next_fire_at = null")
                .update();
    }

    int count(String sql) {
        return sql().sql(sql).query(Integer.class).single();
    }

    /** One backend that dies without a word makes the server end all others and start again from its log. */
    void crashDatabase() {
        long pid = sql().sql("select pid from pg_stat_activity where application_name = 'orth-admin' limit 1")
                .query(Long.class)
                .single();
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
        await().atMost(Duration.ofMinutes(1)).ignoreExceptions().until(() -> count("select 1") == 1);
    }

    void awaitAllRunsEnded(Duration within) {
        await().atMost(within)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> count("select count(*) from orth_run_all where status in ('INIT', 'PENDING')") == 0);
    }

    /** The messages that handlers of these executors have seen, in order, one for each time they ran. */
    List<Long> witnessedMessages(String... executors) {
        List<Long> seen = new ArrayList<>();
        for (String name : executors) {
            seen.addAll(numbersIn(directory.resolve(name).resolve(WitnessExecutor.MESSAGES), 0));
        }
        return seen;
    }

    /** The messages whose handlers were interrupted in this executor while they were held. */
    List<Long> interruptedMessages(String name) {
        return numbersIn(directory.resolve(name).resolve(WitnessExecutor.INTERRUPTED), 0);
    }

    /** The log ids that the executor's handler has seen, in order, one for each time it ran. */
    List<Long> witnessed() {
        return numbersIn(directory.resolve("executor/witness.txt"), 1);
    }

    private static List<Long> numbersIn(Path file, int column) {
        try {
            return Files.exists(file)
                    ? Files.readAllLines(file).stream()
                            .map(line -> Long.valueOf(line.split(" ", -1)[column]))
                            .toList()
                    : List.of();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Every due instant has exactly one run: none missing between a job's first and last, none doubled, each successful,
     * and each seen by the handler exactly once.
     */
    void assertEveryInstantRanOnce() {
        assertThat(count("""
                        select count(*)
                          from (select schedule_time - lag(schedule_time) over (partition by job_id order by schedule_time)
                                       as step
                                  from orth_run_all) steps
                         where step <> interval '1 second'
                        """))
                .as("gaps or doubles between the instants of a job")
                .isZero();
        assertThat(count("select count(*) from orth_run_all where status <> 'SUCCESS'"))
                .as("runs that did not succeed")
                .isZero();
        List<Long> runs =
                sql().sql("select id from orth_run_all").query(Long.class).list();
        assertThat(witnessed())
                .as("what the handler saw")
                .doesNotHaveDuplicates()
                .hasSameElementsAs(runs);
        assertThat(count("select count(*) from orth_run_all r where 3 <> (select count(*) from orth_transition t "
                        + "where t.entity = 'RUN' and t.entity_id = r.id and t.seq <= 3)"))
                .as("runs whose journal is not INIT, PENDING, SUCCESS")
                .isZero();
    }

    @Override
    public void close() {
        if (executor != null) {
            executor.close();
        }
        admins.forEach(AdminProgram::close);
        pooler.ifPresent(PgBouncer::close);
    }

    private static void makeDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
