package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.KillRequest;
import io.orth.protocol.MessageClaim;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WorkRequest;
import io.orth.testkit.FakeAdmin;
import io.orth.testkit.FakeQueues;
import io.orth.testkit.StartStopStress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An executor that works on queues, over HTTP. */
@Tag("must-queues")
@Timeout(60)
class ExecutorQueuesTest {

    @TempDir
    Path directory;

    private final List<Long> begun = Collections.synchronizedList(new ArrayList<>());
    private final AtomicInteger active = new AtomicInteger();
    private final AtomicInteger mostActive = new AtomicInteger();
    private final Semaphore permits = new Semaphore(0);

    private ExecutorRoom room;
    private FakeQueues queues;
    private OrthExecutor executor;

    @BeforeEach
    void open() {
        room = new ExecutorRoom(directory);
        queues = room.admin.queues();
    }

    @AfterEach
    void close() {
        permits.release(100_000);
        if (executor != null) {
            executor.stop(Duration.ofSeconds(5));
        }
        room.admin.close();
    }

    // --- how messages come and results go

    @Test
    void claimsUpToItsFreeSlots() throws Exception {
        push("emails", 7);
        start(held("emails").concurrency(3));
        await().until(() -> begun.size() == 3);
        assertThat(executor.status().running()).isEqualTo(3);

        permits.release(7);
        queues.awaitResults(7);

        assertThat(mostActive).hasValue(3);
        assertThat(queues.requests()).allMatch(request -> request.slots() + request.held() <= 3);
        assertThat(begun)
                .containsExactlyInAnyOrderElementsOf(
                        LongStream.rangeClosed(1, 7).boxed().toList());
    }

    /** A message may finish before the next claim is prepared; then its result is sent alone. */
    @Test
    void sendsResultsWithTheNextClaim() {
        push("emails", 50);
        permits.release(50);
        start(held("emails"));

        queues.awaitResults(50);

        assertThat(queues.requests())
                .filteredOn(
                        request -> request.slots() == 1 && !request.results().isEmpty())
                .isNotEmpty()
                .allMatch(request -> request.held() == 0 && request.waitMillis() == 20_000);
        assertThat(queues.requests()).extracting(WorkRequest::claim).doesNotHaveDuplicates();
    }

    @Test
    void reportsResultImmediatelyWhileClaimWaits() {
        push("emails", 1);
        start(held("emails").concurrency(2));
        await().until(() -> begun.size() == 1);
        queues.awaitRequest(request -> request.slots() == 1 && request.held() == 1);

        permits.release();

        assertThat(queues.awaitRequest(request -> lists(request, 1)).slots()).isZero();
    }

    @Test
    void repeatsClaimAfterLostReplyAndRunsMessageOnce() {
        AtomicInteger losses = new AtomicInteger(2);
        queues.loseAnswersTo(request -> losses.getAndDecrement() > 0);
        push("emails", 1);
        permits.release();
        start(held("emails").concurrency(5));

        queues.awaitResult(1);

        assertThat(queues.requests().subList(0, 3))
                .extracting(WorkRequest::claim, WorkRequest::slots)
                .containsOnly(tuple(queues.requests().get(0).claim(), 5));
        assertThat(begun).containsExactly(1L);
    }

    /** Lets an admin detect lost messages: it gave some to an earlier claim that another admin answered with none. */
    @Test
    void claimsCarryNumberAndLastSuccessfulOne() {
        String nothing = "{\"code\":200,\"content\":{}}";
        queues.answerNextWith(nothing, nothing);
        push("emails", 2);
        permits.release(2);
        start(held("emails"));

        queues.awaitResults(2);
        queues.awaitRequest(request -> request.turn() == 5);

        assertThat(queues.requests())
                .filteredOn(request -> request.slots() > 0)
                .extracting(WorkRequest::turn, WorkRequest::received)
                .startsWith(tuple(1L, 0L), tuple(2L, 0L), tuple(3L, 0L), tuple(4L, 3L), tuple(5L, 4L));
    }

    @Test
    void resendsResultAfterLostReply() {
        AtomicInteger losses = new AtomicInteger(1);
        queues.loseAnswersTo(request -> lists(request, 1) && losses.getAndDecrement() > 0);
        push("emails", 1);
        permits.release();
        start(held("emails").concurrency(2));

        queues.awaitResults(2);

        assertThat(queues.results()).extracting(MessageResult::id).containsExactly(1L, 1L);
        assertThat(begun).containsExactly(1L);
        await().until(() -> executor.status().unsentResults() == 0);
    }

    @Test
    void forgetsResultsThatDidNotCount() {
        queues.refuseResultsOf(1L);
        push("emails", 2);
        permits.release(2);
        start(held("emails").concurrency(2));

        queues.awaitResults(2);

        await().until(() -> executor.status().unsentResults() == 0);
        assertThat(queues.results()).hasSize(2);
    }

    @Test
    void keepsResultsWhileAdminsReject() {
        push("emails", 1);
        start(held("emails"));
        await().until(() -> begun.size() == 1);
        room.admin.answer(500);
        permits.release();
        await().until(() -> executor.status().unsentResults() == 1);

        room.admin.answer(200);

        assertThat(queues.awaitResult(1).code()).isEqualTo(200);
        await().until(() -> executor.status().unsentResults() == 0);
    }

    @Test
    void failsOverToAnotherAdmin(@TempDir Path other) {
        try (FakeAdmin second = FakeAdmin.start()) {
            permits.release(1);
            HandlerRegistry handlers =
                    HandlerRegistry.builder().addQueue(held("emails")).build();
            executor = OrthExecutor.create(
                            room.options()
                                    .admin(second.address())
                                    .logPath(other)
                                    .build(),
                            handlers)
                    .start();
            queues.awaitRequest(request -> request.slots() == 1);
            room.admin.close();

            second.queues().push("emails", "");

            assertThat(second.queues().awaitResult(1).code()).isEqualTo(200);
            executor.stop(Duration.ofSeconds(5));
        }
    }

    @Test
    void wideWorkerKeepsSeveralClaimsOpen() {
        push("emails", 300);
        permits.release(300);
        start(held("emails").concurrency(256));

        queues.awaitResults(300);
        IntStream.range(0, 2).forEach(strand -> queues.awaitRequest(request -> request.strand() == strand));

        assertThat(queues.requests())
                .allMatch(request -> request.slots() <= 128)
                .allMatch(request -> request.slots() + request.held() <= 256);
        assertThat(begun).doesNotHaveDuplicates().hasSize(300);
    }

    @Test
    void queuesDoNotWaitForEachOther() {
        push("slow", 1);
        push("quick", 1);
        start(held("slow"), QueueWorker.of("quick", context -> RunResult.success("quick")));

        assertThat(queues.awaitResult(2).text()).isEqualTo("quick");
        assertThat(queues.results()).hasSize(1);
    }

    // --- how a message is run

    @Test
    void runsMessageWithRunContextAndMessageData() throws Exception {
        AtomicReference<OrthJobContext> seen = new AtomicReference<>();
        start(QueueWorker.of("emails", context -> {
            seen.set(OrthJobContext.current().orElseThrow());
            OrthJobHelper.log("sending {}", context.param());
            return RunResult.success("sent");
        }));

        queues.add(
                "emails",
                new ClaimedMessage(7, 2, 5, 1_007, Triggers.TRIGGERED_AT, "hi", 5, Map.of("from", "shop"), "t-1"));

        assertThat(queues.awaitResult(7))
                .extracting(MessageResult::logId, MessageResult::code, MessageResult::text, MessageResult::forGood)
                .containsExactly(1_007L, 200, "sent", false);
        assertThat(seen.get())
                .isEqualTo(new OrthJobContext(
                        0,
                        "hi",
                        1_007,
                        null,
                        Instant.ofEpochMilli(Triggers.TRIGGERED_AT),
                        0,
                        1,
                        "t-1",
                        Optional.of(new QueueMessage(
                                "emails",
                                7,
                                2,
                                5,
                                Map.of("from", "shop"),
                                Instant.ofEpochMilli(5),
                                new MessageClaim("emails", 7, 1_007, executor.instanceId())))));
        assertThat(client().log(1_007)).endsWith("sending hi\n");
        assertThat(client().known(1_007))
                .singleElement()
                .satisfies(known -> assertThat(known.handleCode()).isEqualTo(200));
    }

    @Test
    void jobsAndQueuesShareAHandlerByItsName() throws Exception {
        executor = OrthExecutor.create(
                        room.options().build(),
                        HandlerRegistry.builder()
                                .add("greet", context -> RunResult.success("hello " + context.param()))
                                .addQueue(QueueWorker.of("greetings", "greet"))
                                .build())
                .start();

        queues.push("greetings", "ann");
        client().run(Triggers.trigger(7, "greet", 5, "bob", null));

        assertThat(queues.awaitResult(1).text()).isEqualTo("hello ann");
        assertThat(room.admin.awaitCallback(5).handleMsg()).isEqualTo("hello bob");
        assertThat(room.admin.callbacks()).hasSize(1);
    }

    @Test
    @Tag("must-kernel")
    void workerDecidesRetryDelay() {
        start(QueueWorker.of("emails", context -> switch (context.param()) {
                    case "throw" -> throw new IllegalStateException("no luck");
                    case "for good" -> throw new FailForGoodException("broken address");
                    case "later" -> throw new RetryAfterException(Duration.ofSeconds(90), "busy");
                    case "ok" -> RunResult.success();
                    default -> RunResult.of(777, context.param());
                })
                .retryDelay((attempt, error) -> {
                    String payload = OrthJobContext.current().orElseThrow().param();
                    return switch (payload) {
                        case "undecided" -> null;
                        case "broken" -> throw new IllegalArgumentException("cannot say");
                        case "before" -> Duration.ofSeconds(-1);
                        case "never" -> Duration.ofSeconds(Long.MAX_VALUE);
                        default -> Duration.ofSeconds(error == null ? attempt : 60 + attempt);
                    };
                }));
        List.of("throw", "code", "for good", "later", "ok", "undecided", "broken", "before", "never")
                .forEach(payload -> queues.push("emails", payload));
        queues.awaitResults(9);

        assertThat(LongStream.rangeClosed(1, 9).mapToObj(id -> queues.awaitResult(id)))
                .extracting(MessageResult::code, MessageResult::forGood, MessageResult::retryAfterMillis)
                .containsExactly(
                        tuple(500, false, 61_000L),
                        tuple(777, false, 1_000L),
                        tuple(500, true, null),
                        tuple(500, false, 90_000L),
                        tuple(200, false, null),
                        tuple(777, false, null),
                        tuple(777, false, null),
                        tuple(777, false, 0L),
                        tuple(777, false, Duration.ofDays(366).toMillis()));
    }

    static class Reports {
        @OrthJob(value = "report", retryDelay = "delay")
        RunResult report(String param) {
            return param.equals("broken") ? RunResult.failForGood("no such report") : RunResult.fail("busy");
        }

        Duration delay(int attempt) {
            return Duration.ofMinutes(attempt);
        }
    }

    @Test
    @Tag("must-kernel")
    void jobHandlerDecidesRetryDelay() throws Exception {
        executor = OrthExecutor.create(
                        room.options().build(),
                        HandlerRegistry.builder().addMethodsOf(new Reports()).build())
                .start();

        client().run(TriggerRequest.of(7, "report", 5, 1_893_499_200_000L)
                .attempt(3)
                .build());
        client().run(TriggerRequest.of(8, "report", 6, 1_893_499_200_000L)
                .params("broken")
                .build());

        assertThat(room.admin.awaitCallback(5))
                .extracting(CallbackItem::handleCode, CallbackItem::retryAfterMillis, CallbackItem::nonRetryable)
                .containsExactly(500, 180_000L, false);
        assertThat(room.admin.awaitCallback(6))
                .extracting(CallbackItem::handleCode, CallbackItem::retryAfterMillis, CallbackItem::nonRetryable)
                .containsExactly(500, null, true);
    }

    @Test
    void reportsHowToRetryAFailure() {
        start(QueueWorker.of("emails", context -> switch (context.param()) {
            case "throw" -> throw new IllegalStateException("no luck");
            case "for good" -> throw new FailForGoodException("broken address");
            case "later" -> throw new RetryAfterException(Duration.ofSeconds(90), "busy");
            case "told for good" -> RunResult.failForGood("nobody there");
            case "told later" -> RunResult.retryAfter(Duration.ofDays(10_000), "not this year");
            default -> RunResult.of(777, "of its own");
        }));
        List.of("throw", "for good", "later", "told for good", "told later", "other")
                .forEach(payload -> queues.push("emails", payload));
        queues.awaitResults(6);

        MessageResult thrown = queues.awaitResult(1);
        assertThat(thrown.text()).startsWith("java.lang.IllegalStateException: no luck\n\tat ");
        assertThat(thrown.code()).isEqualTo(500);
        assertThat(thrown.forGood()).isFalse();
        assertThat(thrown.retryAfterMillis()).isNull();
        assertThat(queues.awaitResult(2).forGood()).isTrue();
        assertThat(queues.awaitResult(2).text()).contains("broken address");
        assertThat(queues.awaitResult(3).retryAfterMillis()).isEqualTo(90_000);
        assertThat(queues.awaitResult(3).forGood()).isFalse();
        assertThat(queues.awaitResult(4))
                .extracting(MessageResult::code, MessageResult::text, MessageResult::forGood)
                .containsExactly(500, "nobody there", true);
        assertThat(queues.awaitResult(5).retryAfterMillis())
                .isEqualTo(Duration.ofDays(366).toMillis());
        assertThat(queues.awaitResult(6).code()).isEqualTo(777);
    }

    record Letter(String to, int copies) {}

    static class Workers {
        @OrthQueue("letters")
        RunResult send(Letter letter) {
            return RunResult.success(letter.to());
        }
    }

    @Test
    void invalidPayloadFailsWithoutRetry() {
        executor = OrthExecutor.create(
                        room.options().build(),
                        HandlerRegistry.builder().addMethodsOf(new Workers()).build())
                .start();

        queues.push("letters", "{\"to\": \"ann\", \"copies\": \"many\"}");
        queues.push("letters", "{\"to\": \"ann\", \"copies\": 2}");

        assertThat(queues.awaitResult(1).forGood()).isTrue();
        assertThat(queues.awaitResult(1).text()).contains("the parameter does not fit Letter: 'copies' must be");
        assertThat(queues.awaitResult(2).text()).isEqualTo("ann");
    }

    @Test
    void longTextsAreCut() {
        start(QueueWorker.of("emails", context -> RunResult.fail("x\0".repeat(40_000))));

        queues.push("emails", "");

        assertThat(queues.awaitResult(1).text())
                .hasSize(50_000)
                .endsWith("[cut, 80000 characters in all]")
                .doesNotContain("\0");
    }

    /** Texts are often cut without regard to characters that need two places. */
    @Test
    void unpairedSurrogateDoesNotBlockResult() {
        start(QueueWorker.of("emails", context -> RunResult.fail("cut here: \ud83d")));

        queues.push("emails", "");
        queues.push("emails", "");

        assertThat(queues.awaitResult(1).text()).startsWith("cut here: ");
        assertThat(queues.awaitResult(2).text()).startsWith("cut here: ");
    }

    @Test
    void aMessageThatTakesTooLongTimesOut() {
        start(held("emails").timeout(Duration.ofMillis(100)));

        queues.push("emails", "");

        assertThat(queues.awaitResult(1))
                .extracting(MessageResult::code, MessageResult::text)
                .containsExactly(Codes.TIMEOUT, "job execute timeout after 100 ms");
    }

    @Test
    void aMessageIsKilledByItsLogId() throws Exception {
        start(held("emails").concurrency(2));
        ClaimedMessage killed = queues.push("emails", "");
        queues.push("emails", "");
        await().until(() -> begun.size() == 2);

        client().post(ExecutorPaths.KILL_RUNS, new KillRequest(List.of(killed.logId()), "killed by ann"));
        MessageResult result = queues.awaitResult(killed.id());
        permits.release();

        assertThat(result.code()).isEqualTo(500);
        assertThat(result.text()).isEqualTo("killed by ann [job running, killed]");
        assertThat(queues.awaitResult(2).code()).isEqualTo(200);
    }

    // --- how it ends

    @Test
    void stopFinishesStartedMessagesAndReportsThemBeforeDeregistering() throws Exception {
        push("emails", 2);
        start(held("emails").concurrency(4));
        await().until(() -> begun.size() == 2);
        Thread stopping = new Thread(() -> executor.stop(Duration.ofSeconds(20)));
        stopping.start();
        await().until(() -> executor.status().draining());

        push("emails", 1);
        permits.release(100);
        stopping.join();

        assertThat(executed()).extracting(MessageResult::id).containsExactlyInAnyOrder(1L, 2L);
        assertThat(room.admin.removals()).hasSize(1);
        assertThat(begun).hasSize(2);
    }

    @Test
    void stopReleasesMessagesThatWereNotStarted() throws Exception {
        CountDownLatch stubborn = new CountDownLatch(1);
        start(QueueWorker.of("emails", context -> {
                    begun.add(1L);
                    awaitStubbornly(stubborn);
                    return null;
                })
                .timeout(Duration.ofMillis(50)));
        push("emails", 2);
        assertThat(queues.awaitResult(1).code()).isEqualTo(Codes.TIMEOUT);
        await().until(() -> executor.status().queued() == 1);

        executor.stop(Duration.ofMillis(100));
        stubborn.countDown();

        assertThat(queues.awaitResult(2)).isEqualTo(new MessageResult(2, 1_000_002, Codes.NONE, null, false, null, 0));
        assertThat(begun).hasSize(1);
    }

    @Test
    void stopReleasesMessagesOfClaimWithoutReply() {
        queues.loseAnswersTo(request -> request.waitMillis() > 0);
        push("emails", 1);
        start(held("emails").concurrency(2));
        WorkRequest lost = queues.awaitRequest(request -> request.slots() == 2);

        executor.stop(Duration.ofSeconds(5));

        WorkRequest last = queues.awaitRequest(request -> request.slots() > 0 && request.waitMillis() == 0);
        assertThat(last.claim()).isEqualTo(lost.claim());
        assertThat(last.slots()).isEqualTo(2);
        assertThat(queues.results()).containsExactly(new MessageResult(1, 1_000_001, Codes.NONE, null, false, null, 0));
        assertThat(begun).isEmpty();
        assertThat(room.admin.removals()).hasSize(1);
    }

    @Test
    void waitingClaimDoesNotDelayStop() {
        start(held("emails").concurrency(2));
        queues.awaitRequest(request -> request.slots() == 2);

        long before = System.nanoTime();
        executor.stop(Duration.ofSeconds(20));

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(10));
        assertThat(room.admin.removals()).hasSize(1);
    }

    @Test
    void reportsMessagesThatDoNotFinishInTime() throws Exception {
        push("emails", 1);
        start(held("emails"));
        await().until(() -> begun.size() == 1);

        executor.stop(Duration.ZERO);

        assertThat(queues.results()).singleElement().satisfies(result -> {
            assertThat(result.code()).isEqualTo(500);
            assertThat(result.text()).startsWith("java.lang.InterruptedException");
        });
    }

    @Test
    void drainClaimsNothingAndEndsOnceAllIsReported() {
        push("emails", 1);
        start(held("emails").concurrency(2));
        await().until(() -> begun.size() == 1);

        executor.drain();
        push("emails", 1);
        room.admin.awaitRegistration(registration -> registration.instance().draining());
        assertThat(room.admin.removals()).isEmpty();
        permits.release();
        room.admin.awaitRemoval();

        assertThat(executed()).extracting(MessageResult::id).containsExactly(1L);
        assertThat(begun).hasSize(1);
    }

    @Test
    void startsAndStopsRepeatedly(@TempDir Path other) throws Exception {
        permits.release(100_000);
        AtomicInteger rounds = new AtomicInteger();
        StartStopStress.watchingThreads("orth-").run(() -> {
            int before = queues.results().size();
            push("emails", 3);
            OrthExecutor stressed = OrthExecutor.create(
                            room.options()
                                    .logPath(other.resolve("" + rounds.incrementAndGet()))
                                    .build(),
                            HandlerRegistry.builder()
                                    .addQueue(held("emails").concurrency(130))
                                    .build())
                    .start();
            if (rounds.get() % 2 == 0) {
                queues.awaitResults(before + 1);
            }
            return stressed;
        });

        assertThat(queues.results())
                .extracting(MessageResult::code)
                .contains(200)
                .isSubsetOf(200, 0);
        assertThat(begun).doesNotHaveDuplicates();
    }

    // --- admins that misbehave

    @ParameterizedTest
    @ValueSource(
            strings = {
                "garbage",
                "[]",
                "{\"code\":200}",
                "{\"code\":200,\"content\":[]}",
                "{\"code\":200,\"content\":{\"messages\":{}}}",
                "{\"code\":200,\"content\":{\"messages\":[{\"id\":1}]}}",
                "{\"code\":200,\"content\":{\"messages\":[7]}}",
                "{\"code\":200,\"content\":{\"refused\":[\"x\"]}}",
            })
    void ignoresUnreadableReply(String answer) {
        queues.answerNextWith(answer);
        permits.release();
        push("emails", 1);
        start(held("emails"));

        assertThat(queues.awaitResult(1).code()).isEqualTo(200);
        assertThat(queues.requests().get(1).claim())
                .isEqualTo(queues.requests().get(0).claim());
    }

    @Test
    void pausesBetweenPollsOfAdminWithoutLongPolling() {
        String nothing = "{\"code\":200,\"content\":{}}";
        queues.answerNextWith(nothing, nothing, nothing, nothing);
        push("emails", 1);
        permits.release();

        long before = System.nanoTime();
        start(held("emails"));
        queues.awaitResult(1);

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void badMessageDoesNotBlockOthers() {
        queues.answerNextWith("{\"code\":200,\"content\":{\"colour\":1,\"messages\":["
                + message(1, -1, 5)
                + ","
                + message(2, 2, -5)
                + ","
                + message(3, 3, Triggers.TRIGGERED_AT)
                + ","
                + message(3, 3, Triggers.TRIGGERED_AT)
                + "]}}");
        permits.release(10);
        start(held("emails").concurrency(4));

        queues.awaitResults(3);

        assertThat(queues.awaitResult(1).code()).isEqualTo(500);
        assertThat(queues.awaitResult(1).text()).contains("not executed").contains("'logId' must be positive");
        assertThat(queues.awaitResult(2).text()).contains("'logDateTime' is not a time");
        assertThat(queues.awaitResult(3).code()).isEqualTo(200);
        assertThat(begun).containsExactly(3L);
    }

    @Test
    void runsExcessMessagesOneAfterAnother() {
        giveWithTheNextAnswer(20);
        permits.release(20);
        start(held("emails"));

        queues.awaitResults(20);

        assertThat(mostActive).hasValue(1);
        assertThat(queues.results()).extracting(MessageResult::code).containsOnly(200);
    }

    @Test
    void releasesMessagesBeyondCapacityWithoutUsingAttempts() {
        giveWithTheNextAnswer(5);
        start(room.options().queueCapacity(1), held("emails"));

        queues.awaitResults(3);
        assertThat(queues.results()).extracting(MessageResult::code).containsOnly(Codes.NONE);
        permits.release(5);
        queues.awaitResults(5);

        assertThat(begun).containsExactly(1L, 2L);
    }

    // --- an executor that was declared dead and comes back

    @Test
    @Tag("must-first")
    void killsRevokedMessagesRunningAndQueued() {
        giveWithTheNextAnswer(3);
        start(held("emails"));
        await().until(() -> begun.size() == 1 && executor.status().queued() == 2);

        room.admin.revoke(1L, 2L);

        assertThat(queues.awaitResult(1).text()).startsWith("revoked by the admin");
        assertThat(queues.awaitResult(2).text()).startsWith("revoked by the admin");
        permits.release();
        assertThat(queues.awaitResult(3).code()).isEqualTo(200);
        assertThat(begun).containsExactly(1L, 3L);
        assertThat(queues.results()).hasSize(3);
        room.admin.awaitRegistration(r -> r.instance().revoked().equals(List.of(1L, 2L)));
    }

    @Test
    @Tag("must-first")
    void killsRunningAndReleasesQueuedWhenDeclaredDead() {
        giveWithTheNextAnswer(3);
        start(held("emails"));
        await().until(() -> begun.size() == 1 && executor.status().queued() == 2);

        room.admin.declareDead();

        assertThat(queues.awaitResult(1).text()).startsWith("the executor was declared dead");
        assertThat(queues.awaitResult(2).code()).isEqualTo(Codes.NONE);
        assertThat(queues.awaitResult(3).code()).isEqualTo(Codes.NONE);
        assertThat(begun).containsExactly(1L);
    }

    /** Admins may have given them to others, and the revocations that say so may be too many for one reply. */
    @Test
    @Tag("must-first")
    void releasesUnstartedMessagesAfterLeaseExpired() {
        AtomicLong skipped = new AtomicLong();
        giveWithTheNextAnswer(3);
        executor = new OrthExecutor(
                        room.options().build(),
                        () -> HandlerRegistry.builder().addQueue(held("emails")).build(),
                        GlueInjector.NONE,
                        Clock.systemUTC(),
                        () -> System.nanoTime() + skipped.get())
                .start();
        await().until(() -> begun.size() == 1 && executor.status().queued() == 2);
        room.admin.answer(500);
        await().until(() -> !executor.status().registered());

        skipped.set(HeartbeatRule.DEFAULT.startLease().toNanos());
        room.admin.answer(200);

        assertThat(queues.awaitResult(2).code()).isEqualTo(Codes.NONE);
        assertThat(queues.awaitResult(3).code()).isEqualTo(Codes.NONE);
        permits.release();
        assertThat(queues.awaitResult(1).code()).as("the message that ran").isEqualTo(200);
        assertThat(begun).containsExactly(1L);
    }

    private void giveWithTheNextAnswer(int messages) {
        String all = LongStream.rangeClosed(1, messages)
                .mapToObj(id -> message(id, id, Triggers.TRIGGERED_AT))
                .collect(Collectors.joining(","));
        queues.answerNextWith("{\"code\":200,\"content\":{\"messages\":[" + all + "]}}");
    }

    private static String message(long id, long logId, long logDateTime) {
        return ("{\"id\":%d,\"attempt\":1,\"maxAttempts\":3,\"logId\":%d,\"logDateTime\":%d,\"payload\":\"\","
                        + "\"shape\":{\"round\":true}}")
                .formatted(id, logId, logDateTime);
    }

    // --- fixtures

    private void start(QueueWorker... workers) {
        start(room.options(), workers);
    }

    private void start(ExecutorOptions.Builder options, QueueWorker... workers) {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder();
        for (QueueWorker worker : workers) {
            handlers.addQueue(worker);
        }
        executor = OrthExecutor.create(options.build(), handlers.build()).start();
    }

    /** A worker whose messages run until they get a permit. */
    private QueueWorker held(String queue) {
        return QueueWorker.of(queue, context -> {
            mostActive.accumulateAndGet(active.incrementAndGet(), Math::max);
            try {
                begun.add(context.message().orElseThrow().id());
                permits.acquire();
                return RunResult.success();
            } finally {
                active.decrementAndGet();
            }
        });
    }

    private void push(String queue, int messages) {
        for (int i = 0; i < messages; i++) {
            queues.push(queue, "");
        }
    }

    /** A message that came with the last moment's claim goes back. */
    private List<MessageResult> executed() {
        return queues.results().stream()
                .filter(result -> result.code() != Codes.NONE)
                .toList();
    }

    private static boolean lists(WorkRequest request, long id) {
        return request.results().stream().anyMatch(result -> result.id() == id);
    }

    private ExecutorClient client() {
        return new ExecutorClient(executor.address());
    }

    private static void awaitStubbornly(CountDownLatch latch) {
        boolean over = false;
        while (!over) {
            try {
                latch.await();
                over = true;
            } catch (InterruptedException e) {
                // That is what makes it stubborn.
            }
        }
    }
}
