package io.orth.bench.queue;

import io.orth.bench.Benchmark;
import io.orth.bench.Findings;
import io.orth.bench.Scratch;
import io.orth.bench.Sizes;
import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Lists, searches and groups of a million dead letters, and what it does to another queue when all of them get another chance at
 * once. How long messages of the retried queue itself wait is not measured: they are behind up to 10,000 others by intent.
 */
public final class DeadLetterPiles implements Benchmark {

    private static final int LETTERS = Sizes.of("letters", 1_000_000, 100_000);
    private static final int KINDS_OF_FAILURE = 1_000;
    private static final int ASKED = 20;
    private static final int CONCURRENCY = 8;
    private static final int WARM_UP = 500;
    private static final int MESSAGES = 1_000;
    private static final long PAGE_MILLIS = 200;
    private static final double MOST_TIMES_IDLE = 2;

    /** Longer it must not take. */
    private static final Duration LONGEST = Duration.ofMinutes(30);

    /** Their numbers are those of messages that were pushed in the first seconds of the day. */
    private static final String FILL = """
            insert into orth_dead_letter (id, queue_id, lane, seq, status_at, past, attempt, max_attempts, pushed_at, executor_id, log_id,
                                          size, failures, cause, error, stack, fingerprint, payload)
            select orth_first_run_id((now() at time zone 'UTC')::date) + n * 50, q.id, 2, 7, at, array[at], 3, 3, at, 1, n, 100,
                   '[]', 'EXHAUSTED', 'java.io.IOException: host-' || n %% %1$d || ' does not answer',
                   'at com.acme.Mailer.send(Mailer.java:7)', 'f' || n %% %1$d, repeat('x', 100)
              from orth_queue q, generate_series(%2$d, %3$d) n
             cross join lateral (select now() - (%4$d - n) * interval '1 second' / 10 as at) died
             where q.name = '%5$s'
            """;

    /** As if they had come one by one. */
    private static final String SUM_UP = """
            insert into orth_dead_letter_group (kind, owner, fingerprint, letters, first_seen, last_seen)
            select 'MESSAGE', queue_id, fingerprint, count(*), min(status_at), max(status_at)
              from orth_dead_letter group by queue_id, fingerprint
            """;

    private static final String TOTAL = """
            insert into orth_queue_total (queue_id, open, running, dead)
            select queue_id, 0, 0, count(*) from orth_dead_letter group by queue_id
            on conflict (queue_id) do update set dead = excluded.dead
            """;

    private final Path adminJar;

    public DeadLetterPiles(Path adminJar) {
        this.adminJar = adminJar;
    }

    @Override
    public void describe(Findings findings) {
        findings.setting("repeats", 1)
                .setting("letters", LETTERS)
                .setting("kindsOfFailure", KINDS_OF_FAILURE)
                .setting("requestsPerQuestion", ASKED)
                .setting("warmUpMessages", WARM_UP)
                .setting("idle.messages", MESSAGES)
                .setting("orth.concurrency", CONCURRENCY);
    }

    @Override
    public void measure(Findings findings) throws Exception {
        Path directory = Files.createTempDirectory("orth-bench");
        try (BenchDatabase database = BenchDatabase.start(directory.resolve("postgres"), findings)) {
            Path own = Files.createTempDirectory(directory, "trial");
            try (OrthQueues orth =
                    OrthQueues.start(adminJar, database.empty(), own, CONCURRENCY, own.resolve("seen"))) {
                fill(orth.admin());
                for (Map.Entry<String, String> each : questions().entrySet()) {
                    long p95 = p95(orth.admin(), each.getValue());
                    findings.check(each.getKey() + ".p95Millis", p95, "ms", "below " + PAGE_MILLIS, p95 < PAGE_MILLIS);
                }
                retry(orth, findings);
            }
        } finally {
            Scratch.delete(directory);
        }
    }

    private static void fill(BenchAdmin admin) throws Exception {
        int step = Math.max(1, LETTERS / 20);
        for (int from = 1; from <= LETTERS; from += step) {
            int to = Math.min(LETTERS, from + step - 1);
            admin.execute(FILL.formatted(KINDS_OF_FAILURE, from, to, LETTERS, WorkerProgram.OTHER_QUEUE));
            System.err.printf("%,d dead letters%n", to);
        }
        admin.execute(SUM_UP);
        admin.execute(TOTAL);
        admin.execute("vacuum analyze");
    }

    private static Map<String, String> questions() {
        String all = "/api/dead-letters?limit=50";
        Instant now = Instant.now();
        Map<String, String> questions = new LinkedHashMap<>();
        questions.put("newest", all);
        questions.put("old", all + "&after=" + LETTERS / 100);
        questions.put("messages", all + "&kind=MESSAGE");
        questions.put("runs", all + "&kind=RUN");
        questions.put("queue", all + "&queue=" + WorkerProgram.OTHER_QUEUE);
        questions.put("emptyQueue", all + "&queue=" + WorkerProgram.QUEUE);
        questions.put("fingerprint", all + "&fingerprint=f7");
        questions.put("error", all + "&error=host-77");
        questions.put("errorOfQueue", all + "&error=host-77&queue=" + WorkerProgram.OTHER_QUEUE);
        questions.put("noSuchError", all + "&error=nothing");
        questions.put("hour", all + "&from=%s&to=%s".formatted(now.minusSeconds(7_200), now.minusSeconds(3_600)));
        questions.put("groups", "/api/dead-letters/groups");
        questions.put("groupsOfQueue", "/api/dead-letters/groups?queue=" + WorkerProgram.OTHER_QUEUE);
        return questions;
    }

    private static long p95(BenchAdmin admin, String path) throws Exception {
        long[] millis = new long[ASKED];
        for (int i = 0; i < ASKED; i++) {
            long begun = System.nanoTime();
            admin.get(path);
            millis[i] = (System.nanoTime() - begun) / 1_000_000;
        }
        Arrays.sort(millis);
        return millis[ASKED * 95 / 100];
    }

    private static void retry(OrthQueues orth, Findings findings) throws Exception {
        StartTimes.measure(orth, WARM_UP);
        StartTimes idle = StartTimes.measure(orth, MESSAGES);
        long begun = System.nanoTime();
        String id = orth.admin()
                .post("/api/operations", Map.of("action", "RETRY", "all", true, "reason", "benchmark"))
                .requiredText("id");
        StartTimes meanwhile = StartTimes.measure(
                orth,
                Integer.MAX_VALUE,
                () -> System.nanoTime() - begun < LONGEST.toNanos() && goesOn(orth.admin(), id));
        double seconds = (System.nanoTime() - begun) / 1e9;
        long retried = orth.admin().number("select done from orth_operation where id = " + id);
        boolean done = orth.admin()
                        .number("select count(*) from orth_operation where status = 'DONE' and failed = 0 and id = "
                                + id)
                == 1;
        double times = meanwhile.p99Millis() / idle.p99Millis();
        findings.check(
                        "retried",
                        retried,
                        "",
                        "all %,d, and the operation done".formatted(LETTERS),
                        done && retried == LETTERS)
                .note("startMillis", "of messages pushed one by one into another queue than the retried one", "")
                .note("retriedPerSecond", Math.round(retried / seconds), "")
                .note("idle.startMillis.median", Drains.rounded(idle.medianMillis()), "ms")
                .note("idle.startMillis.p99", Drains.rounded(idle.p99Millis()), "ms")
                .note("retrying.messages", meanwhile.messages(), "")
                .note("retrying.startMillis.median", Drains.rounded(meanwhile.medianMillis()), "ms")
                .note("retrying.startMillis.p99", Drains.rounded(meanwhile.p99Millis()), "ms")
                .check(
                        "p99TimesIdle",
                        Drains.rounded(times),
                        "",
                        "at most 2, of the other queue",
                        times <= MOST_TIMES_IDLE);
    }

    private static boolean goesOn(BenchAdmin admin, String operation) {
        try {
            return admin.number("select count(*) from orth_operation where status = 'RUNNING' and id = " + operation)
                    == 1;
        } catch (java.sql.SQLException e) {
            throw new IllegalStateException("the benchmark cannot look at its operation", e);
        }
    }
}
