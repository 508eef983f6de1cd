package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.CallbackIntake.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@Tag("must-kernel")
class CallbackQueueDbTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final CallbackProperties PROPERTIES = new CallbackProperties(20, 1_000, 20_000);
    private static final int RESULTS_EACH = 5;
    private static final Outcome RECORDED = new Outcome(1, 0, 0, 0);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<CallbackQueue> queues = new ArrayList<>();
    private AdminFixture admin;

    /** An executor in its own group. */
    private record Source(ExecutorGroup group, Target target) {

        CallbackItem success(long run) {
            return new CallbackItem(run, 0, Codes.SUCCESS, "done", target.instanceId());
        }
    }

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
    }

    @AfterEach
    void tearDown() {
        queues.forEach(CallbackQueue::stop);
        admin.jdbc.sql("drop trigger if exists poison on orth_run_history").update();
    }

    /** Each executor sends its next callback after the response to the previous one. */
    @Test
    void callbacksOfManyExecutorsShareTransactions() throws Exception {
        int executors = 200;
        int callbacksEach = Boolean.getBoolean("orth.full") ? 20 : 2;
        CallbackQueue queue = queue(PROPERTIES, PROPERTIES.workers(20));
        Map<Source, List<Long>> runs = new LinkedHashMap<>();
        for (int i = 0; i < executors; i++) {
            Source source = source("group-" + i);
            runs.put(source, pendingRuns(source, callbacksEach * RESULTS_EACH));
        }

        ExecutorService web = Executors.newFixedThreadPool(8);
        try {
            List<CompletableFuture<?>> all = new ArrayList<>();
            runs.forEach((source, ids) -> all.add(reportInTurn(queue, source, ids, web)));
            for (CompletableFuture<?> each : all) {
                each.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        } finally {
            web.shutdownNow();
        }

        int total = executors * callbacksEach * RESULTS_EACH;
        assertThat(ended()).isEqualTo(total);
        assertThat((double) commits() / total).as("commits per run").isLessThanOrEqualTo(0.02);
        DistributionSummary batches = meters.get("orth.callback.batch.size").summary();
        assertThat(batches.totalAmount()).isEqualTo(total);
        assertThat(batches.count()).isEqualTo(commits());
    }

    @Test
    void batchesCallbacksWhileAllWorkersAreBusy() throws Exception {
        Source first = source("first");
        Source second = source("second");
        long held = pendingRuns(first, 1).get(0);
        List<Long> ofFirst = pendingRuns(first, 20);
        List<Long> ofSecond = pendingRuns(second, 20);
        CallbackQueue queue = queue(PROPERTIES, 1);
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        try (RowLock lock = new RowLock(held)) {
            responses.add(queue.submit(first.group().id(), List.of(first.success(held))));
            lock.awaitBlocked();
            ofFirst.forEach(run -> responses.add(queue.submit(first.group().id(), List.of(first.success(run)))));
            ofSecond.forEach(run -> responses.add(queue.submit(second.group().id(), List.of(second.success(run)))));
            assertThat(responses).noneMatch(CompletableFuture::isDone);
        }

        assertAllRecorded(responses);
        assertThat(commits()).isEqualTo(2);
    }

    @Test
    void recordsSingleCallbackBesideBusyWorker() throws Exception {
        Source source = source("one");
        List<Long> runs = pendingRuns(source, 2);
        CallbackQueue queue = queue(PROPERTIES, 2);
        CompletableFuture<Outcome> blocked;
        try (RowLock lock = new RowLock(runs.get(0))) {
            blocked = queue.submit(source.group().id(), List.of(source.success(runs.get(0))));
            lock.awaitBlocked();

            CompletableFuture<Outcome> lone = queue.submit(source.group().id(), List.of(source.success(runs.get(1))));

            assertThat(result(lone)).isEqualTo(RECORDED);
            assertThat(blocked).isNotDone();
        }
        assertThat(result(blocked)).isEqualTo(RECORDED);
    }

    @Test
    void startsAnotherWorkerBeyondFullBatch() throws Exception {
        Source source = source("one");
        List<Long> runs = pendingRuns(source, 4);
        CallbackQueue queue = queue(new CallbackProperties(20, 1, 20_000), 3);
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        try (RowLock first = new RowLock(runs.get(0));
                RowLock second = new RowLock(runs.get(1))) {
            for (long run : runs) {
                responses.add(queue.submit(source.group().id(), List.of(source.success(run))));
            }

            first.awaitBlocked();
            second.awaitBlocked();
            assertThat(result(responses.get(2))).isEqualTo(RECORDED);
            assertThat(result(responses.get(3))).isEqualTo(RECORDED);
            assertThat(responses.subList(0, 2)).noneMatch(CompletableFuture::isDone);
        }
        assertAllRecorded(responses);
    }

    @Test
    void rejectsOnlyResultThatCannotBeRecorded() throws Exception {
        Source good = source("good");
        Source bad = source("bad");
        List<Long> ofGood = pendingRuns(good, 7);
        List<Long> ofBad = pendingRuns(bad, 3);
        long poison = ofBad.get(1);
        poison(poison);
        CallbackQueue queue = queue(PROPERTIES, 1);
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        CompletableFuture<Outcome> rejected;
        try (RowLock lock = new RowLock(ofGood.get(0))) {
            responses.add(queue.submit(good.group().id(), List.of(good.success(ofGood.get(0)))));
            lock.awaitBlocked();
            for (long run : ofGood.subList(1, 4)) {
                responses.add(queue.submit(good.group().id(), List.of(good.success(run))));
            }
            rejected = queue.submit(
                    bad.group().id(), ofBad.stream().map(bad::success).toList());
            for (long run : ofGood.subList(4, 7)) {
                responses.add(queue.submit(good.group().id(), List.of(good.success(run))));
            }
        }

        assertAllRecorded(responses);
        assertThatThrownBy(() -> result(rejected))
                .hasRootCauseInstanceOf(OrthException.class)
                .rootCause()
                .hasMessageContaining("the result of run %d".formatted(poison))
                .extracting(e -> ((OrthException) e).code())
                .isEqualTo(ErrorCode.INVALID_INPUT);
        assertThat(admin.runs.get(poison).status()).isEqualTo(RunStatus.PENDING);
        assertThat(ended()).isEqualTo(ofGood.size() + ofBad.size() - 1);
    }

    @Test
    void returnsOutcomeOfOwnResultsToEachCallback() throws Exception {
        Source one = source("one");
        Source other = source("other");
        List<Long> runs = pendingRuns(one, 3);
        CallbackQueue queue = queue(PROPERTIES, 1);
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        try (RowLock lock = new RowLock(runs.get(0))) {
            responses.add(queue.submit(one.group().id(), List.of(one.success(runs.get(0)))));
            lock.awaitBlocked();
            responses.add(queue.submit(one.group().id(), List.of(one.success(runs.get(1)))));
            responses.add(queue.submit(one.group().id(), List.of(one.success(runs.get(1)))));
            responses.add(queue.submit(other.group().id(), List.of(other.success(runs.get(2)), other.success(7))));
            responses.add(queue.submit(one.group().id(), List.of()));
        }

        assertThat(result(responses.get(1))).isEqualTo(RECORDED);
        assertThat(result(responses.get(2))).isEqualTo(new Outcome(0, 1, 0, 0));
        assertThat(result(responses.get(3))).isEqualTo(new Outcome(0, 0, 1, 1));
        assertThat(result(responses.get(4))).isEqualTo(new Outcome(0, 0, 0, 0));
    }

    @Test
    void rejectsCallbacksBeyondCapacity() throws Exception {
        Source source = source("one");
        List<Long> runs = pendingRuns(source, 6);
        CallbackQueue queue = queue(new CallbackProperties(2, 1_000, 3), 1);
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        List<CallbackItem> lastTwo = List.of(source.success(runs.get(4)), source.success(runs.get(5)));
        try (RowLock lock = new RowLock(runs.get(0))) {
            responses.add(queue.submit(source.group().id(), List.of(source.success(runs.get(0)))));
            lock.awaitBlocked();
            for (long run : runs.subList(1, 3)) {
                responses.add(queue.submit(source.group().id(), List.of(source.success(run))));
            }

            assertThatThrownBy(() -> queue.submit(source.group().id(), lastTwo))
                    .isInstanceOf(OrthException.class)
                    .extracting(e -> ((OrthException) e).code())
                    .isEqualTo(ErrorCode.UNAVAILABLE);
            responses.add(queue.submit(source.group().id(), List.of(source.success(runs.get(3)))));
        }
        assertAllRecorded(responses);
        assertThat(result(queue.submit(source.group().id(), lastTwo))).isEqualTo(new Outcome(2, 0, 0, 0));
        assertThat(meters.get("orth.callback.requests.rejected").counter().count())
                .isEqualTo(1);
    }

    @Test
    void stopRecordsWaitingResultsAndRejectsOthers() throws Exception {
        Source source = source("one");
        List<Long> runs = pendingRuns(source, 5);
        CallbackQueue queue = queue(PROPERTIES, 1);
        queue.start();
        List<CompletableFuture<Outcome>> responses = new ArrayList<>();
        CompletableFuture<Void> stopped;
        try (RowLock lock = new RowLock(runs.get(0))) {
            for (long run : runs.subList(0, 4)) {
                responses.add(queue.submit(source.group().id(), List.of(source.success(run))));
            }
            lock.awaitBlocked();
            stopped = CompletableFuture.runAsync(queue::stop);
            await().atMost(LIMIT).until(() -> !queue.isRunning());
        }

        assertAllRecorded(responses);
        stopped.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        assertThatThrownBy(() -> queue.submit(source.group().id(), List.of(source.success(runs.get(4)))))
                .isInstanceOf(OrthException.class)
                .extracting(e -> ((OrthException) e).code())
                .isEqualTo(ErrorCode.UNAVAILABLE);
    }

    private CallbackQueue queue(CallbackProperties properties, int workers) {
        CallbackQueue queue = new CallbackQueue(admin.callbacks, properties, workers, LIMIT, meters);
        queues.add(queue);
        return queue;
    }

    private Source source(String name) {
        ExecutorGroup group = admin.group(name);
        return new Source(group, admin.executor(group, "instance-" + name, "http://127.0.0.1:9999/" + name));
    }

    private List<Long> pendingRuns(Source source, int count) {
        List<NewRun> wanted = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            wanted.add(AdminFixture.newRun(source.group(), null));
        }
        admin.lease.run();
        List<Run> runs = admin.runs.create(wanted, AdminFixture.CLAIM);
        Target target = source.target();
        admin.runs.intend(
                runs.stream()
                        .map(run -> new SendIntent(run.id(), run.dispatch(), target.executorId(), target.address()))
                        .toList(),
                AdminFixture.CLAIM);
        List<Long> ids = runs.stream().map(Run::id).toList();
        admin.runs.accept(
                admin.runs.list(ids).stream()
                        .map(run -> Acceptance.of(run, "accepted"))
                        .toList(),
                RunCause.ACCEPTED);
        return ids;
    }

    private static CompletableFuture<?> reportInTurn(
            CallbackQueue queue, Source source, List<Long> runs, Executor web) {
        CompletableFuture<?> last = CompletableFuture.completedFuture(null);
        for (int from = 0; from < runs.size(); from += RESULTS_EACH) {
            List<CallbackItem> results = runs.subList(from, from + RESULTS_EACH).stream()
                    .map(source::success)
                    .toList();
            last = last.thenComposeAsync(any -> queue.submit(source.group().id(), results), web);
        }
        return last;
    }

    private int ended() {
        return admin.jdbc
                .sql("select count(*) from orth_run_history where status = 'SUCCESS'")
                .query(Integer.class)
                .single();
    }

    /** Number of transactions that finished runs. */
    private long commits() {
        return admin.jdbc
                .sql("select count(distinct xmin::text) from orth_run_history")
                .query(Long.class)
                .single();
    }

    private void poison(long run) {
        admin.jdbc.sql("""
                        create or replace function poison() returns trigger language plpgsql as
                        $$ begin
                             if new.id = %d then raise exception 'poison' using errcode = '23514'; end if;
                             return new;
                           end $$
                        """.formatted(run)).update();
        admin.jdbc
                .sql("create trigger poison before insert on orth_run_history for each row execute function poison()")
                .update();
    }

    private static Outcome result(CompletableFuture<Outcome> response) throws Exception {
        try {
            return response.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static void assertAllRecorded(List<CompletableFuture<Outcome>> responses) throws Exception {
        for (CompletableFuture<Outcome> response : responses) {
            assertThat(result(response)).isEqualTo(RECORDED);
        }
    }

    /** Blocks transactions that finish this run. */
    private final class RowLock implements AutoCloseable {

        private final Connection connection = db.dataSource().getConnection();
        private final int pid;

        RowLock(long run) throws SQLException {
            connection.setAutoCommit(false);
            try (PreparedStatement select =
                    connection.prepareStatement("select pg_backend_pid() from orth_run where id = ? for update")) {
                select.setLong(1, run);
                try (var rows = select.executeQuery()) {
                    rows.next();
                    pid = rows.getInt(1);
                }
            }
        }

        void awaitBlocked() {
            await().atMost(LIMIT)
                    .until(() -> admin.jdbc
                            .sql("select exists (select from pg_stat_activity where :pid = any(pg_blocking_pids(pid)))")
                            .param("pid", pid)
                            .query(Boolean.class)
                            .single());
        }

        @Override
        public void close() throws SQLException {
            connection.rollback();
            connection.close();
        }
    }
}
