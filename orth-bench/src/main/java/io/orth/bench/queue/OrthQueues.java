package io.orth.bench.queue;

import io.orth.bench.installation.BenchAdmin;
import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.BenchProgram;
import io.orth.bench.installation.Patience;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** An admin and an executor that works on a queue, as processes of their own. */
final class OrthQueues implements AutoCloseable {

    private static final int PUSHED_AT_ONCE = 5_000;
    private static final int PUSHERS = 4;
    private static final Duration DRAINED = Duration.ofMinutes(1);
    private static final String PATH = "/api/queues/" + WorkerProgram.QUEUE;

    /** Sums, as looking at the messages passes all that have gone since the last vacuum. */
    private static final String OPEN = """
            select coalesce(sum(open), 0)
              from (select open from orth_queue_total
                    union all
                    select pushed + revived - done - dead - discarded from orth_queue_tally) noted
            """;

    private static final String UNRELAYED = """
            select (select count(*) from orth_journal where position is null)
                 + (select coalesce(sum(h.position - s.position), 0) from orth_sink s, orth_journal_head h)
            """;

    private final BenchAdmin admin;
    private final Path seen;
    private BenchProgram worker;

    private OrthQueues(BenchAdmin admin, Path seen) {
        this.admin = admin;
        this.seen = seen;
    }

    /**
     * Returns when both are there.
     *
     * @param seen where the worker notes what it saw; null for nowhere
     */
    static OrthQueues start(Path adminJar, BenchDatabase.Place database, Path directory, int concurrency, Path seen)
            throws Exception {
        return start(adminJar, database, directory, concurrency, seen, List.of());
    }

    /** @param jvmOptions further ones of the admin */
    static OrthQueues start(
            Path adminJar,
            BenchDatabase.Place database,
            Path directory,
            int concurrency,
            Path seen,
            List<String> jvmOptions)
            throws Exception {
        OrthQueues orth = new OrthQueues(BenchAdmin.start(adminJar, database, directory, jvmOptions), seen);
        try {
            orth.startWorker(directory, concurrency);
            return orth;
        } catch (Exception e) {
            orth.close();
            throw e;
        }
    }

    private void startWorker(Path directory, int concurrency) throws Exception {
        String group = admin.post("/api/groups", Map.of("name", "bench")).requiredText("id");
        String token = admin.get("/api/groups/%s/token".formatted(group)).requiredText("token");
        worker = BenchProgram.ofClass(
                WorkerProgram.class,
                directory.resolve("worker.log"),
                Map.of("ORTH_EXECUTOR_ACCESS_TOKEN", token),
                admin.url(),
                directory.resolve("logs").toString(),
                Integer.toString(concurrency),
                seen == null ? "-" : seen.toString(),
                Integer.toString(WorkerProgram.CHAPTERS));
        Patience.await("worker", Duration.ofMinutes(2), () -> {
            worker.checkAlive();
            return admin.get(PATH).requiredNumber("workers") == 1;
        });
    }

    BenchAdmin admin() {
        return admin;
    }

    Path seen() {
        return seen;
    }

    void pause() throws Exception {
        admin.post(PATH + "/pause", Map.of());
    }

    void resume() throws Exception {
        admin.post(PATH + "/resume", Map.of());
    }

    void push(String payload) throws Exception {
        admin.post(PATH + "/messages", Map.of("payload", payload));
    }

    /** As fast as a few can, each with a request of its own. Returns when all are done. */
    void pushOneByOne(int messages) throws Exception {
        ExecutorService pushers = Executors.newFixedThreadPool(PUSHERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < PUSHERS; i++) {
                all.add(pushers.submit(() -> {
                    for (int n = 0; n < messages / PUSHERS; n++) {
                        push(Long.toString(StartTimes.nowMicros()));
                    }
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            pushers.shutdownNow();
        }
        awaitDrained(DRAINED);
    }

    void push(int messages) throws Exception {
        for (int pushed = 0; pushed < messages; pushed += PUSHED_AT_ONCE) {
            List<Map<String, Object>> some = new ArrayList<>();
            for (int i = pushed; i < Math.min(messages, pushed + PUSHED_AT_ONCE); i++) {
                some.add(Map.of("payload", "message " + i));
            }
            admin.post(PATH + "/messages/bulk", Map.of("messages", some));
        }
    }

    /** Returns when no message waits or runs any more. */
    void awaitDrained(Duration limit) throws Exception {
        Patience.await("messages", limit, () -> {
            worker.checkAlive();
            return admin.number(OPEN) == 0;
        });
    }

    /** Returns when every sink has taken every transition that is there. */
    void awaitRelayed(Duration limit) throws Exception {
        Patience.await("relay", limit, () -> admin.number(UNRELAYED) == 0);
    }

    /** How many of the last so many messages were done and relayed a second. */
    double relayedPerSecond(int messages) throws Exception {
        long micros = admin.number("""
                select (extract(epoch from (select max(emitted_at) from orth_sink) - min(claimed_at)) * 1000000)::bigint
                  from (select claimed_at from orth_message_history order by id desc limit %d) last
                """.formatted(messages));
        return messages * 1e6 / micros;
    }

    /** How long after the last of so many messages was done the last sink had taken all transitions. */
    double relayedAfterSeconds(int messages) throws Exception {
        long micros = admin.number("""
                select (extract(epoch from (select max(emitted_at) from orth_sink) - max(finished_at)) * 1000000)::bigint
                  from (select finished_at from orth_message_history order by id desc limit %d) last
                """.formatted(messages));
        return Math.max(0, micros / 1e6);
    }

    /** How many messages were done a second, of the last so many. */
    double perSecond(int messages) throws Exception {
        long done = admin.number("select count(*) from orth_message_history where status = 'DONE'");
        if (done < messages) {
            throw new IllegalStateException("%d of %d messages are done".formatted(done, messages));
        }
        long micros = admin.number("""
                select (extract(epoch from max(finished_at) - min(claimed_at)) * 1000000)::bigint
                  from (select finished_at, claimed_at from orth_message_history order by id desc limit %d) last
                """.formatted(messages));
        return messages * 1e6 / micros;
    }

    @Override
    public void close() {
        if (worker != null) {
            worker.close();
        }
        admin.close();
    }
}
