package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.admin.run.CallbackIntake.Outcome;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Codes;
import io.orth.protocol.TextLimit;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallbackIntakeDbTest {

    private static final String INSTANCE = "instance";

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ExecutorGroup group;
    private Target executor;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        group = admin.group("group");
        executor = admin.executor(group, INSTANCE, "http://127.0.0.1:9999");
    }

    @ParameterizedTest
    @CsvSource({"200, SUCCESS", "500, FAILED", "502, TIMEOUT", "7, FAILED"})
    void resultFinishesRun(int code, RunStatus status) {
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(result(run, code, "done"));

        Run ended = admin.runs.get(run.id());
        assertThat(outcome).isEqualTo(new Outcome(1, 0, 0, 0));
        assertThat(ended.status()).isEqualTo(status);
        assertThat(ended.handleCode()).isEqualTo(code);
        assertThat(ended.handleMsg()).isEqualTo("done");
        assertThat(ended.triggerMsg()).isEqualTo("accepted");
        assertThat(ended.finishedAt()).isNotNull();
        assertThat(admin.journalOf(run))
                .containsExactly(
                        "null->INIT CREATED", "INIT->PENDING ACCEPTED", "PENDING->%s CALLBACK".formatted(status));
    }

    @Test
    void ignoresRepeatedResult() {
        Run run = admin.pendingRun(group, executor);
        take(result(run, Codes.SUCCESS, "first"));

        Outcome again = take(result(run, Codes.FAIL, "second"));

        assertThat(again).isEqualTo(new Outcome(0, 1, 0, 0));
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("first");
        assertThat(admin.journalOf(run)).hasSize(3);
    }

    @Test
    void countsFirstOfTwoResultsInOneBatch() {
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(result(run, Codes.SUCCESS, "first"), result(run, Codes.FAIL, "second"));

        assertThat(outcome).isEqualTo(new Outcome(1, 1, 0, 0));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void recordsOtherResultsBesideUnknownRun() {
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(new CallbackItem(42, 0, Codes.SUCCESS, "", INSTANCE), result(run, Codes.SUCCESS, ""));

        assertThat(outcome).isEqualTo(new Outcome(1, 0, 1, 0));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void rejectsResultOfAnotherInstance() {
        admin.executor(group, "other", "http://127.0.0.1:9998");
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(new CallbackItem(run.id(), 0, Codes.SUCCESS, "forged", "other"));

        assertForged(run, outcome);
    }

    @Test
    void rejectsResultWithoutInstance() {
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(new CallbackItem(run.id(), 0, Codes.SUCCESS, "forged", null));

        assertForged(run, outcome);
    }

    @Test
    void rejectsResultWithTokenOfAnotherGroup() {
        ExecutorGroup other = admin.group("other");
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = admin.callbacks.take(other.id(), List.of(result(run, Codes.SUCCESS, "forged")));

        assertForged(run, outcome);
    }

    @Test
    void rejectsResultOfUnsentRun() {
        Run run = admin.unsentRun(group);

        Outcome outcome = take(result(run, Codes.SUCCESS, "forged"));

        assertThat(outcome).isEqualTo(new Outcome(0, 0, 0, 1));
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.INIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MIN_VALUE})
    void rejectsCodeThatIsNoResult(int code) {
        Run run = admin.pendingRun(group, executor);

        Outcome outcome = take(result(run, code, "none"));

        assertForged(run, outcome);
    }

    @Test
    void resultBeforeTriggerResponseImpliesAcceptance() {
        Run run = admin.intendedRun(group, executor);

        Outcome outcome = take(result(run, Codes.SUCCESS, "fast"));

        assertThat(outcome.recorded()).isEqualTo(1);
        assertThat(admin.journalOf(run))
                .containsExactly("null->INIT CREATED", "INIT->PENDING ACCEPTED", "PENDING->SUCCESS CALLBACK");
        assertThat(admin.runs.accept(List.of(Acceptance.of(run, "late")), RunCause.ACCEPTED))
                .isEmpty();
        assertThat(admin.runs.refuse(List.of(Refusal.of(run, "late")))).isEmpty();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void lateResultCorrectsLostRunOnce() {
        Run run = lostRun();

        assertThat(take(result(run, Codes.SUCCESS, "late")).recorded()).isEqualTo(1);
        assertThat(take(result(run, Codes.FAIL, "later")).repeated()).isEqualTo(1);

        Run corrected = admin.runs.get(run.id());
        assertThat(corrected.status()).isEqualTo(RunStatus.SUCCESS);
        assertThat(corrected.cause()).isEqualTo(RunCause.LATE_RESULT);
        assertThat(corrected.handleMsg()).isEqualTo("late");
        assertThat(admin.journalOf(run))
                .endsWith("PENDING->FAILED LOST", "FAILED->SUCCESS LATE_RESULT")
                .hasSize(4);
    }

    @Test
    void lateFailureOfLostRunIsFinal() {
        Run run = lostRun();

        take(result(run, Codes.FAIL, "it did fail"));

        assertThat(take(result(run, Codes.SUCCESS, "never")).recorded()).isZero();
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("it did fail");
    }

    @Test
    void doesNotCorrectReportedFailure() {
        Run run = admin.pendingRun(group, executor);
        take(result(run, Codes.FAIL, "failed"));

        Outcome outcome = take(result(run, Codes.SUCCESS, "after all"));

        assertThat(outcome.repeated()).isEqualTo(1);
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.FAILED);
    }

    @Test
    void doesNotLoseRunWithResult() {
        Run run = admin.pendingRun(group, executor);
        take(result(run, Codes.SUCCESS, "in time"));
        kill();

        int lost = admin.runs.loseOfGoneExecutors(Duration.ZERO, 10);

        assertThat(lost).isZero();
        assertThat(admin.statusOf(run)).isEqualTo(RunStatus.SUCCESS);
    }

    @Test
    void storesMessageWithNulCharacter() {
        Run run = admin.pendingRun(group, executor);

        take(result(run, Codes.SUCCESS, "a\0b"));

        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("a\uFFFDb");
    }

    @Test
    void storesBatchWithUnpairedSurrogate() {
        Run half = admin.pendingRun(group, executor);
        Run whole = admin.pendingRun(group, executor);

        take(result(half, Codes.SUCCESS, "cut \uD83D"), result(whole, Codes.SUCCESS, "whole \uD83D\uDE00"));

        assertThat(admin.statusOf(half)).isEqualTo(RunStatus.SUCCESS);
        assertThat(admin.runs.get(whole.id()).handleMsg()).isEqualTo("whole \uD83D\uDE00");
    }

    @Test
    void truncatesLongMessage() {
        Run run = admin.pendingRun(group, executor);

        take(result(run, Codes.FAIL, "x".repeat(50_000)));

        assertThat(admin.runs.get(run.id()).handleMsg())
                .hasSize(TextLimit.STORED.characters())
                .endsWith("[cut, 50000 characters in all]");
    }

    @Test
    void acceptsResultWithoutMessage() {
        Run run = admin.pendingRun(group, executor);

        take(result(run, Codes.SUCCESS, null));

        assertThat(admin.runs.get(run.id()).handleMsg()).isNull();
    }

    @Test
    void acceptsEmptyBatch() {
        assertThat(admin.callbacks.take(group.id(), List.of())).isEqualTo(new Outcome(0, 0, 0, 0));
    }

    @Test
    void concurrentDeliveriesFinishEachRunOnce() throws Exception {
        List<CallbackItem> results = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            results.add(result(admin.intendedRun(group, executor), i % 2 == 0 ? Codes.SUCCESS : Codes.FAIL, "r" + i));
        }

        int recorded = deliverFromAllSides(results, 16);

        assertThat(recorded).isEqualTo(results.size());
        assertThat(admin.jdbc
                        .sql("select status || ' ' || count(*) from orth_run_all group by status order by status")
                        .query(String.class)
                        .list())
                .containsExactly("FAILED 100", "SUCCESS 100");
        assertThat(admin.jdbc
                        .sql("select entity_id from orth_transition where entity = 'RUN' and cause = 'CALLBACK'")
                        .query(Long.class)
                        .list())
                .hasSize(results.size())
                .doesNotHaveDuplicates();
    }

    private int deliverFromAllSides(List<CallbackItem> results, int sides) throws Exception {
        CyclicBarrier start = new CyclicBarrier(sides);
        ExecutorService threads = Executors.newFixedThreadPool(sides);
        try {
            List<Future<Integer>> recorded = new ArrayList<>();
            for (int side = 0; side < sides; side++) {
                List<CallbackItem> shuffled = new ArrayList<>(results);
                Collections.shuffle(shuffled, new Random(side));
                recorded.add(threads.submit(() -> {
                    start.await();
                    return admin.callbacks.take(group.id(), shuffled).recorded();
                }));
            }
            int sum = 0;
            for (Future<Integer> one : recorded) {
                sum += one.get(60, TimeUnit.SECONDS);
            }
            return sum;
        } finally {
            threads.shutdownNow();
        }
    }

    private Run lostRun() {
        Run run = admin.pendingRun(group, executor);
        kill();
        assertThat(admin.runs.loseOfGoneExecutors(Duration.ZERO, 10)).isEqualTo(1);
        assertThat(admin.runs.get(run.id()).handleMsg()).isEqualTo("Result lost");
        return run;
    }

    private void kill() {
        admin.jdbc.sql("update orth_executor set status = 'DEAD'").update();
    }

    private Outcome take(CallbackItem... results) {
        return admin.callbacks.take(group.id(), List.of(results));
    }

    private void assertForged(Run run, Outcome outcome) {
        assertThat(outcome).isEqualTo(new Outcome(0, 0, 0, 1));
        assertThat(admin.runs.get(run.id())).isEqualTo(run);
        assertThat(admin.journalOf(run)).hasSize(2);
    }

    private static CallbackItem result(Run run, int code, String message) {
        return new CallbackItem(run.id(), run.logDateTime(), code, message, INSTANCE);
    }
}
