package io.orth.admin.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Handed;
import io.orth.admin.queue.QueueDriver.InFlight;
import io.orth.admin.queue.QueueDriver.Released;
import io.orth.admin.queue.QueueDriver.Turn;
import io.orth.admin.queue.QueueReader.Depth;
import io.orth.admin.registry.HeldWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import io.orth.protocol.WorkReply;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Behaviour of every queue driver. */
@Tag("must-queues")
abstract class QueueDriverConformance {

    static final String QUEUE = "emails";

    QueueDriver driver;
    Queues queues;
    QueueReader reader;
    long ann;
    long bob;

    @BeforeEach
    final void begin() {
        setUp();
    }

    /** Sets the fields above; {@code ann} and {@code bob} are executors that are online. */
    abstract void setUp();

    /** Takes the executor offline, as the registry does. */
    abstract void goes(long executor);

    /** Has the executor claim a message that carries a pipeline task; returns its queue and the claim. */
    abstract Map.Entry<String, ClaimedMessage> claimTask(long executor);

    /** The log ids of claims that the replies to this executor's heartbeats list. */
    abstract List<Long> revoked(long executor);

    // --- pushes that are repeated

    @Test
    void repeatedPushAddsNothingAndReturnsSameIds() {
        queues.open(QUEUE);
        List<MessageSpec> specs = List.of(
                spec("a").build(),
                spec("b").uniqueKey("k").build(),
                spec("c").uniqueKey("k").build());

        List<Pushed> first = driver.push(QUEUE, "push-1", specs);
        List<Pushed> again = driver.push(QUEUE, "push-1", specs);
        List<Pushed> other = driver.push(QUEUE, "push-2", specs);

        assertThat(first).extracting(Pushed::duplicate).containsExactly(false, false, true);
        assertThat(again).isEqualTo(first);
        assertThat(other).extracting(Pushed::duplicate).containsExactly(false, true, true);
        assertThat(claim(ann, 10)).extracting(ClaimedMessage::payload).containsExactlyInAnyOrder("a", "b", "a");
    }

    @Test
    void rejectsPushIdOfAnotherPush() {
        queues.open(QUEUE);
        driver.push(QUEUE, "push-1", List.of(MessageSpec.of("a")));

        assertThatThrownBy(() -> driver.push(QUEUE, "push-1", List.of(MessageSpec.of("a"), MessageSpec.of("b"))))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
        queues.open("other");
        assertThatThrownBy(() -> driver.push("other", "push-1", List.of(MessageSpec.of("a"))))
                .isInstanceOfSatisfying(
                        OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CONFLICT));
    }

    @Test
    void concurrentRepeatsOfPushAddOnce() throws Exception {
        queues.open(QUEUE);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<List<Pushed>>> answers = IntStream.range(0, 8)
                    .mapToObj(i -> threads.submit(
                            () -> driver.push(QUEUE, "push-1", List.of(MessageSpec.of("a"), MessageSpec.of("b")))))
                    .toList();
            Set<List<Pushed>> different = new HashSet<>();
            for (Future<List<Pushed>> answer : answers) {
                different.add(answer.get());
            }

            assertThat(different).hasSize(1);
            assertThat(claim(ann, 10)).hasSize(2);
        } finally {
            threads.shutdownNow();
        }
    }

    // --- order

    @Test
    void claimsMessagesInPushOrder() {
        List<Long> pushed = push(spec("a"), spec("b"), spec("c"));

        assertThat(claim(ann, 2)).extracting(ClaimedMessage::id).isEqualTo(pushed.subList(0, 2));
        assertThat(claim(ann, 2)).extracting(ClaimedMessage::payload).containsExactly("c");
        assertThat(claim(ann, 2)).isEmpty();
    }

    @Test
    void claimsMoreUrgentMessagesFirst() {
        push(
                spec("low").lane(Lane.LOW),
                spec("default"),
                spec("critical").lane(Lane.CRITICAL),
                spec("high").lane(Lane.HIGH));

        assertThat(claim(ann, 3))
                .extracting(ClaimedMessage::payload)
                .containsExactlyInAnyOrder("critical", "high", "default");
        assertThat(claim(ann, 3)).extracting(ClaimedMessage::payload).containsExactly("low");
    }

    @Test
    void keepsADelayedMessageUntilItIsDue() {
        push(spec("later").delay(Duration.ofHours(1)), spec("before").dueAt(Instant.EPOCH));

        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("before");
        assertThat(driver.nextDue(List.of(QUEUE, "nowhere")))
                .hasEntrySatisfying(
                        QUEUE, due -> assertThat(due).isAfter(Instant.now().plus(Duration.ofMinutes(50))))
                .hasSize(1);
    }

    @Test
    void doesNotLetDelayedUrgentMessagesHideOthers() {
        push(
                spec("urgent").lane(Lane.CRITICAL).delay(Duration.ofHours(1)),
                spec("low").lane(Lane.LOW));

        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("low");
    }

    @Test
    void claimedMessageHasItsMetadata() {
        Instant before = Instant.now().minusSeconds(60);
        push(spec("{}").metadata(Map.of("tenant", "acme")).traceId("t-1").maxAttempts(7));

        ClaimedMessage claimed = claim(ann, 1).get(0);

        assertThat(claimed.attempt()).isEqualTo(1);
        assertThat(claimed.maxAttempts()).isEqualTo(7);
        assertThat(claimed.metadata()).containsExactly(Map.entry("tenant", "acme"));
        assertThat(claimed.traceId()).isEqualTo("t-1");
        assertThat(claimed.logId()).isPositive();
        assertThat(Instant.ofEpochMilli(claimed.pushedAt())).isAfter(before);
        assertThat(Instant.ofEpochMilli(claimed.logDateTime())).isAfter(before);
    }

    @Test
    void boundsReplyByItsBytes() {
        String large = "x".repeat(200_000);
        push(IntStream.range(0, 40).mapToObj(i -> spec(large)).toArray(Spec[]::new));

        List<ClaimedMessage> first = claim(ann, 40);

        assertThat(first).hasSizeBetween(3, 10);
        assertThat(claim(ann, 40)).isNotEmpty();
    }

    @Test
    void returnsOwnContentsBesideLargeMessages() {
        push(IntStream.range(0, 30)
                .mapToObj(i -> spec("%d %s".formatted(i, "x".repeat(i % 3 == 0 ? 20_000 : 10)))
                        .metadata(Map.of("number", Integer.toString(i))))
                .toArray(Spec[]::new));

        List<ClaimedMessage> claimed = claim(ann, 100);

        assertThat(claimed).hasSize(30);
        assertThat(claimed).allSatisfy(message -> {
            int number = Integer.parseInt(message.metadata().get("number"));
            assertThat(message.payload())
                    .startsWith(number + " ")
                    .hasSize(Integer.toString(number).length() + 1 + (number % 3 == 0 ? 20_000 : 10));
        });
    }

    /** JSON escaping makes the payloads six times as long, and an executor reads at most 16 MB. */
    @Test
    void boundsReplyWithWorstCaseEscaping() {
        String worst = "\u0001".repeat(250_000);
        push(IntStream.range(0, 20).mapToObj(i -> spec(worst)).toArray(Spec[]::new));
        Map<String, String> metadata = new HashMap<>();
        IntStream.range(0, 50).forEach(i -> metadata.put("m" + i, "\"".repeat(1_000)));
        push(IntStream.range(0, 400)
                .mapToObj(i -> spec("small").lane(Lane.HIGH).metadata(metadata))
                .toArray(Spec[]::new));

        int given = 0;
        for (List<ClaimedMessage> some = claim(ann, 500); !some.isEmpty(); some = claim(ann, 500)) {
            given += some.size();
            assertThat(Json.write(new WorkReply(List.of(), some))).hasSizeLessThan(16 * 1024 * 1024);
        }

        assertThat(given).isEqualTo(420);
    }

    // --- claims

    /** Every second message is delayed and becomes due while executors claim. */
    @Test
    void claimsEachMessageOnce() throws Exception {
        Set<Long> pushed = new HashSet<>(push(IntStream.range(0, 400)
                .mapToObj(i -> i % 2 == 0 ? spec("m" + i) : spec("delayed" + i).delay(Duration.ofMillis(100 + i)))
                .toArray(Spec[]::new)));
        List<Long> claimed = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<?>> workers = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            long executor = i % 2 == 0 ? ann : bob;
            int strand = i;
            workers.add(threads.submit(() -> {
                while (!over.get()) {
                    Claim claim = new Claim(executor, strand, UUID.randomUUID().toString(), 0, 0, 10, 0);
                    driver.work(QUEUE, List.of(), claim).messages().forEach(message -> claimed.add(message.id()));
                }
            }));
        }
        try {
            Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> claimed.size() >= pushed.size());
        } finally {
            over.set(true);
            threads.shutdown();
        }
        for (Future<?> worker : workers) {
            worker.get(30, TimeUnit.SECONDS);
        }

        assertThat(claimed).doesNotHaveDuplicates().hasSameElementsAs(pushed);
    }

    @Test
    void returnsSameMessagesForRepeatedClaim() {
        push(spec("a"), spec("b"), spec("c"));
        Claim claim = QueueFixture.claim(ann, 2);

        List<ClaimedMessage> first = driver.work(QUEUE, List.of(), claim).messages();
        List<ClaimedMessage> again = driver.work(QUEUE, List.of(), claim).messages();

        assertThat(again).containsExactlyInAnyOrderElementsOf(first).hasSize(2);
        assertThat(claim(ann, 2)).extracting(ClaimedMessage::payload).containsExactly("c");
    }

    @Test
    void listsMessagesOfClaimWithoutClaimingMore() {
        push(spec("a"), spec("b"));
        Claim claim = QueueFixture.claim(ann, 1);
        assertThat(driver.given(QUEUE, claim)).isEmpty();
        List<ClaimedMessage> first = driver.work(QUEUE, List.of(), claim).messages();

        assertThat(driver.given(QUEUE, claim)).isEqualTo(first);
        assertThat(driver.given(QUEUE, QueueFixture.claim(ann, 1))).isEmpty();
        assertThat(claim(bob, 5)).extracting(ClaimedMessage::payload).containsExactly("b");
    }

    @Test
    void repeatedClaimOmitsFinishedMessages() {
        push(spec("a"), spec("b"));
        Claim claim = QueueFixture.claim(ann, 2);
        List<ClaimedMessage> first = driver.work(QUEUE, List.of(), claim).messages();
        report(ann, done(first.get(0)));

        assertThat(driver.work(QUEUE, List.of(), claim).messages())
                .extracting(ClaimedMessage::id)
                .containsExactly(first.get(1).id());
    }

    @Test
    void repeatedEmptyClaimClaimsAnew() {
        queues.open(QUEUE);
        Claim claim = QueueFixture.claim(ann, 2);
        assertThat(driver.work(QUEUE, List.of(), claim).messages()).isEmpty();
        push(spec("a"));

        assertThat(driver.work(QUEUE, List.of(), claim).messages()).hasSize(1);
    }

    @Test
    void givesNothingToSupersededClaim() {
        queues.open(QUEUE);
        Claim first = QueueFixture.claim(ann, 2);
        driver.work(QUEUE, List.of(), first);
        Claim second = QueueFixture.claim(ann, 2);
        driver.work(QUEUE, List.of(), second);
        push(spec("a"));

        assertThat(driver.tryAgain(QUEUE, first)).isEmpty();
        assertThat(driver.tryAgain(QUEUE, second))
                .hasValueSatisfying(given ->
                        assertThat(given).extracting(ClaimedMessage::payload).containsExactly("a"));
        assertThat(driver.tryAgain(QUEUE, second))
                .hasValueSatisfying(given -> assertThat(given).hasSize(1));
    }

    /** A stalled admin processes an old poll of an executor that has polled other admins since. */
    @Test
    void earlierTurnGetsAndReplacesNothing() {
        queues.open(QUEUE);
        Claim later = new Claim(ann, 0, "later", 2, 0, 1, 0);
        driver.work(QUEUE, List.of(), later);
        push(spec("a"));

        assertThat(driver.work(QUEUE, List.of(), new Claim(ann, 0, "earlier", 1, 0, 1, 0))
                        .messages())
                .isEmpty();

        assertThat(driver.tryAgain(QUEUE, new Claim(ann, 0, "earlier", 1, 0, 1, 0)))
                .isEmpty();
        assertThat(driver.tryAgain(QUEUE, later))
                .hasValueSatisfying(given ->
                        assertThat(given).extracting(ClaimedMessage::payload).containsExactly("a"));
    }

    /** The executor's poll to one admin timed out, and a second admin returned nothing; then the first admin claimed messages for it. */
    @Test
    void redeliversLostMessages() {
        queues.open(QUEUE);
        Claim first = turn(1, 0);
        driver.work(QUEUE, List.of(), first);
        push(spec("a"), spec("b"));
        driver.tryAgain(QUEUE, first);

        assertThat(driver.work(QUEUE, List.of(), turn(2, 0)).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("a");
        assertThat(driver.work(QUEUE, List.of(), turn(3, 0)).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("a");
        assertThat(driver.work(QUEUE, List.of(), turn(4, 3)).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("b");
    }

    @Test
    void claimsOthersWhenLostMessagesAreFinished() {
        Claim first = turn(1, 0);
        push(spec("a"));
        ClaimedMessage astray = driver.work(QUEUE, List.of(), first).messages().get(0);
        driver.work(QUEUE, List.of(done(astray)), QueueFixture.claim(ann, 0));
        Claim second = turn(2, 0);
        assertThat(driver.work(QUEUE, List.of(), second).messages()).isEmpty();
        push(spec("b"));

        assertThat(driver.tryAgain(QUEUE, second))
                .hasValueSatisfying(given ->
                        assertThat(given).extracting(ClaimedMessage::payload).containsExactly("b"));
    }

    /** A draining executor claims nothing more and asks which messages it was given. */
    @Test
    void listsLostMessages() {
        Claim first = turn(1, 0);
        push(spec("a"));
        driver.work(QUEUE, List.of(), first);

        assertThat(driver.given(QUEUE, turn(2, 0)))
                .extracting(ClaimedMessage::payload)
                .containsExactly("a");
        assertThat(driver.given(QUEUE, turn(2, 1))).isEmpty();
        assertThat(driver.given(QUEUE, first)).hasSize(1);
    }

    /** The executor has received and completed the message and has not polled again. */
    @Test
    void lateRepeatOfFinishedClaimGetsNothing() {
        Claim claim = turn(1, 0);
        push(spec("a"), spec("b"));
        ClaimedMessage got = driver.work(QUEUE, List.of(), claim).messages().get(0);
        driver.work(QUEUE, List.of(done(got)), QueueFixture.claim(ann, 0));

        assertThat(driver.work(QUEUE, List.of(), claim).messages()).isEmpty();

        assertThat(driver.work(QUEUE, List.of(), turn(2, 1)).messages())
                .extracting(ClaimedMessage::payload)
                .containsExactly("b");
    }

    /** An executor polls several admins in turn and reads the last reply; the others process the poll much later. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void deliversOnceDespiteLateAndRepeatedClaims(long seed) {
        queues.open(QUEUE);
        Random random = new Random(seed);
        List<Claim> unheard = new ArrayList<>();
        List<Long> pushed = new ArrayList<>();
        List<Long> got = new ArrayList<>();
        long received = 0;
        for (long turn = 1; turn <= 150; turn++) {
            Claim claim = turn(turn, received);
            Collections.nCopies(random.nextInt(3), claim).forEach(unheard::add);
            List<ClaimedMessage> answer = driver.work(QUEUE, List.of(), claim).messages();
            if (!answer.isEmpty()) {
                received = turn;
            }
            answer.forEach(message -> got.add(message.id()));
            driver.work(
                    QUEUE,
                    answer.stream()
                            .filter(any -> random.nextBoolean())
                            .map(QueueDriverConformance::done)
                            .toList(),
                    QueueFixture.claim(ann, 0));
            if (random.nextInt(3) > 0) {
                Claim late = unheard.isEmpty() ? claim : unheard.remove(random.nextInt(unheard.size()));
                pushed.add(hear(late, random.nextInt(3)));
            }
        }
        for (long turn = 151; got.size() < pushed.size() && turn < 500; turn++) {
            List<ClaimedMessage> answer =
                    driver.work(QUEUE, List.of(), turn(turn, received)).messages();
            received = answer.isEmpty() ? received : turn;
            answer.forEach(message -> got.add(message.id()));
        }

        assertThat(got).containsExactlyInAnyOrderElementsOf(pushed);
    }

    /** Pushes a message, which an admin claims for the late poll; the executor no longer reads the reply. */
    private long hear(Claim late, int how) {
        if (how == 0) {
            return driver.push(QUEUE, null, specs("m"), late).pushed().get(0).id();
        }
        long id = push(spec("m")).get(0);
        if (how == 1) {
            driver.tryAgain(QUEUE, late);
        } else {
            driver.work(QUEUE, List.of(), late);
        }
        return id;
    }

    private Claim turn(long turn, long received) {
        return new Claim(ann, 0, "c" + turn, turn, received, 1, 0);
    }

    @Test
    void givesNothingToWaitingPollOfDeadExecutor() {
        queues.open(QUEUE);
        Claim claim = QueueFixture.claim(ann, 2);
        driver.work(QUEUE, List.of(), claim);
        push(spec("a"));
        goes(ann);

        assertThat(driver.tryAgain(QUEUE, claim)).isEmpty();
    }

    // --- pushes to waiting polls

    @Test
    void claimsPushedMessagesForWaitingPollInOneStep() {
        Queue queue = queues.open(QUEUE);
        Claim claim = waiting(ann, 2);

        Handed handed = driver.push(QUEUE, null, specs("a", "b", "c"), claim);

        assertThat(handed.messages())
                .hasValueSatisfying(given ->
                        assertThat(given).extracting(ClaimedMessage::payload).containsExactly("a", "b"));
        assertThat(handed.isComplete()).isFalse();
        assertThat(handed.pushed())
                .extracting(each -> message(each.id()).status())
                .containsExactly(MessageStatus.RUNNING, MessageStatus.RUNNING, MessageStatus.WAITING);
        assertThat(reader.depth(queue)).isEqualTo(new Depth(1, 2, 0));
        // As if the reply had been lost.
        assertThat(driver.tryAgain(QUEUE, claim)).isEqualTo(handed.messages());
    }

    @Test
    void repeatedPushForWaitingPollIsClaimedOnce() {
        Handed first = driver.push(QUEUE, "push-1", specs("a"), waiting(ann, 2));

        Handed again = driver.push(QUEUE, "push-1", specs("a"), waiting(bob, 2));

        assertThat(first.isComplete()).isTrue();
        assertThat(again.pushed()).isEqualTo(first.pushed());
        assertThat(again.messages()).hasValue(List.of());
    }

    @Test
    void claimsWaitingMessagesBeforePushedOnes() {
        Claim claim = waiting(ann, 1);
        push(spec("older"));

        Handed handed = driver.push(QUEUE, null, specs("newer"), claim);

        assertThat(handed.messages())
                .hasValueSatisfying(given ->
                        assertThat(given).extracting(ClaimedMessage::payload).containsExactly("older"));
        assertThat(handed.isComplete()).isFalse();
        assertThat(claim(bob, 2)).extracting(ClaimedMessage::payload).containsExactly("newer");
    }

    @Test
    void keepsPushedMessageIfPollHasEnded() {
        Claim claim = waiting(ann, 2);
        goes(ann);

        Handed handed = driver.push(QUEUE, null, specs("a"), claim);

        assertThat(handed.messages()).isEmpty();
        assertThat(claim(bob, 2)).extracting(ClaimedMessage::payload).containsExactly("a");
    }

    @Test
    void keepsMessagePushedIntoPausedQueue() {
        Claim claim = waiting(ann, 2);
        queues.pause(QUEUE);

        Handed handed = driver.push(QUEUE, null, specs("a"), claim);

        assertThat(handed.messages()).hasValue(List.of());
        assertThat(message(handed.pushed().get(0).id()).status()).isEqualTo(MessageStatus.WAITING);
    }

    private Claim waiting(long executor, int slots) {
        queues.open(QUEUE);
        Claim claim = QueueFixture.claim(executor, slots);
        assertThat(driver.work(QUEUE, List.of(), claim).messages()).isEmpty();
        return claim;
    }

    private static List<MessageSpec> specs(String... payloads) {
        return Stream.of(payloads).map(MessageSpec::of).toList();
    }

    @Test
    void rejectsUnknownQueue() {
        Claim claim = QueueFixture.claim(ann, 1);
        for (ThrowingCallable step : List.<ThrowingCallable>of(
                () -> driver.work("nowhere", List.of(), claim),
                () -> driver.push("nowhere", null, specs("a")),
                () -> driver.push("nowhere", null, specs("a"), claim),
                () -> driver.push("nowhere", "push-1", specs("a")),
                () -> driver.push("nowhere", "push-1", specs("a"), claim))) {
            assertThatThrownBy(step)
                    .isInstanceOfSatisfying(
                            OrthException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND))
                    .hasMessageContaining("nowhere");
        }
    }

    // --- results

    @Test
    void keepsCompletedMessage() {
        long id = push(spec("a")).get(0);

        ClaimedMessage claimed = claim(ann, 1).get(0);
        Turn turn = report(ann, new MessageResult(claimed.id(), claimed.logId(), 200, "sent", false, null, 12));

        assertThat(turn.refused()).isEmpty();
        assertThat(turn.counted()).isEqualTo(1);
        Message message = message(id);
        assertThat(message.status()).isEqualTo(MessageStatus.DONE);
        assertThat(message.result()).isEqualTo("sent");
        assertThat(message.payload()).isEqualTo("a");
    }

    @Test
    void reportsAndClaimsInOneStep() {
        push(spec("a"), spec("b"));
        ClaimedMessage first = claim(ann, 1).get(0);

        Turn turn = driver.work(QUEUE, List.of(done(first)), QueueFixture.claim(ann, 1));

        assertThat(turn.counted()).isEqualTo(1);
        assertThat(turn.messages()).extracting(ClaimedMessage::payload).containsExactly("b");
    }

    @Test
    void countsAResultOnce() {
        push(spec("a"));
        ClaimedMessage claimed = claim(ann, 1).get(0);

        assertThat(report(ann, done(claimed)).counted()).isEqualTo(1);
        Turn again = report(ann, done(claimed), failed(claimed));

        assertThat(again.counted()).isZero();
        assertThat(again.refused()).containsOnly(claimed.id());
        assertThat(message(claimed.id()).status()).isEqualTo(MessageStatus.DONE);
    }

    @Test
    void rejectsResultOfAnotherExecutor() {
        push(spec("a"));
        ClaimedMessage claimed = claim(ann, 1).get(0);

        Turn turn = report(bob, done(claimed));

        assertThat(turn.refused()).containsExactly(claimed.id());
        assertThat(message(claimed.id()).status()).isEqualTo(MessageStatus.RUNNING);
    }

    @Test
    void rejectsResultOfEarlierAttempt() {
        push(spec("a"));
        ClaimedMessage first = claim(ann, 1).get(0);
        report(ann, retryAfter(first, Duration.ZERO));
        ClaimedMessage second = claim(ann, 1).get(0);
        assertThat(second.attempt()).isEqualTo(2);

        assertThat(report(ann, done(first)).refused()).containsExactly(first.id());
        assertThat(report(ann, failed(first)).refused()).containsExactly(first.id());
        assertThat(message(first.id()).status()).isEqualTo(MessageStatus.RUNNING);
    }

    /** A claim of a message that was released has the attempt of the one before, and a log id of its own. */
    @Test
    @Tag("must-first")
    void rejectsRepeatedReleaseAfterNextClaim() {
        push(spec("a"));
        ClaimedMessage first = claim(ann, 1).get(0);
        report(ann, givenBack(first));
        ClaimedMessage second = claimOther(ann, 1);
        assertThat(second.attempt()).isEqualTo(first.attempt());

        assertThat(report(ann, givenBack(first)).refused()).containsExactly(first.id());

        assertThat(message(first.id()).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(claim(ann, 1)).as("a second live copy").isEmpty();
        for (MessageResult late : List.of(done(first), failed(first), failedForGood(first, "no"))) {
            assertThat(report(ann, late).refused()).containsExactly(first.id());
        }
        assertThat(message(first.id()).logId()).isEqualTo(second.logId());
        assertThat(report(ann, done(second)).refused()).isEmpty();
        assertThat(message(first.id()).status()).isEqualTo(MessageStatus.DONE);
    }

    /** A retried dead letter counts its attempts from 1 again. */
    @Test
    @Tag("must-first")
    void rejectsRepeatedResultAfterRetryOfDeadLetter() {
        long id = push(spec("a").maxAttempts(1)).get(0);
        ClaimedMessage first = claim(ann, 1).get(0);
        report(ann, failed(first));
        driver.retry(QUEUE, Collections.singletonMap(id, null));
        ClaimedMessage second = claim(ann, 1).get(0);
        assertThat(second.attempt()).isEqualTo(first.attempt());

        for (MessageResult late : List.of(failed(first), done(first), givenBack(first), failedForGood(first, "no"))) {
            assertThat(report(ann, late).refused()).containsExactly(id);
        }

        assertThat(message(id).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(message(id).logId()).isEqualTo(second.logId());
    }

    @Test
    @Tag("must-first")
    void countsCurrentResultBesideEarlierOne() {
        push(spec("a"), spec("b"));
        List<ClaimedMessage> first = claim(ann, 2);
        report(ann, givenBack(first.get(0)), givenBack(first.get(1)));
        List<ClaimedMessage> second = claim(ann, 2);

        Turn turn = report(
                ann,
                failed(first.get(0)),
                done(second.get(0)),
                retryAfter(second.get(1), Duration.ZERO),
                done(first.get(1)));

        assertThat(turn.counted()).isEqualTo(2);
        assertThat(turn.refused())
                .containsExactly(first.get(0).id(), first.get(1).id());
        assertThat(message(first.get(0).id()).status()).isEqualTo(MessageStatus.DONE);
        assertThat(message(first.get(1).id()).status()).isEqualTo(MessageStatus.WAITING);
    }

    private ClaimedMessage claimOther(long executor, int strand) {
        return driver.work(
                        QUEUE,
                        List.of(),
                        new Claim(executor, strand, UUID.randomUUID().toString(), 0, 0, 1, 0))
                .messages()
                .get(0);
    }

    @Test
    void rejectsResultOfUnknownMessage() {
        queues.open(QUEUE);

        Turn turn = report(ann, new MessageResult(4711, 4711, 200, null, false, null, 0));

        assertThat(turn.refused()).containsExactly(4711L);
    }

    @Test
    void countsOtherResultsBesideBadOne() {
        push(spec("a"), spec("b"));
        List<ClaimedMessage> claimed = claim(ann, 2);

        Turn turn = report(
                ann,
                done(claimed.get(0)),
                new MessageResult(4711, 4711, 200, null, false, null, 0),
                new MessageResult(claimed.get(1).id(), 4711, 500, "\0odd", false, null, -5));

        assertThat(turn.counted()).isEqualTo(1);
        assertThat(turn.refused())
                .containsExactlyInAnyOrder(4711L, claimed.get(1).id());
    }

    /** Results of several attempts, reported out of order, beside some that are rejected. */
    @Test
    void keepsResultOfEachMessage() {
        push(IntStream.range(0, 30).mapToObj(i -> spec("m" + i)).toArray(Spec[]::new));
        List<ClaimedMessage> first = claim(ann, 30);
        report(
                ann,
                first.stream()
                        .filter(message -> message.id() % 3 == 0)
                        .map(message -> retryAfter(message, Duration.ZERO))
                        .toArray(MessageResult[]::new));
        Map<Long, Long> logs = new HashMap<>();
        first.forEach(message -> logs.put(message.id(), message.logId()));
        claim(ann, 30).forEach(message -> logs.put(message.id(), message.logId()));
        List<Long> ids = new ArrayList<>(logs.keySet());
        Collections.shuffle(ids, new Random(1));
        long late = ids.get(7);

        Turn turn = report(
                ann,
                ids.stream()
                        .map(id -> new MessageResult(
                                id,
                                id == late ? 4711 : logs.get(id),
                                200,
                                id % 2 == 0 ? null : "said of " + id,
                                false,
                                null,
                                1))
                        .toArray(MessageResult[]::new));

        assertThat(turn.refused()).containsExactly(late);
        assertThat(message(late).status()).isEqualTo(MessageStatus.RUNNING);
        ids.remove(late);
        assertThat(ids).allSatisfy(id -> {
            assertThat(message(id).status()).isEqualTo(MessageStatus.DONE);
            assertThat(message(id).result()).isEqualTo(id % 2 == 0 ? null : "said of " + id);
        });
    }

    @Test
    void acceptsTextsCutInsideCharacter() {
        push(spec("a"), spec("b"));
        List<ClaimedMessage> claimed = claim(ann, 2);

        Turn turn = report(
                ann,
                new MessageResult(claimed.get(0).id(), claimed.get(0).logId(), 200, "half \ud83d", false, null, 1),
                new MessageResult(
                        claimed.get(1).id(), claimed.get(1).logId(), 500, "half \ude00 of it", false, null, 1));

        assertThat(turn.counted()).isEqualTo(2);
    }

    // --- failures

    @Test
    void delayGrowsWithEachAttempt() {
        long id = push(spec("a")
                        .backoff(new Backoff(Duration.ofMillis(20), 5, Duration.ofMillis(300), 0))
                        .maxAttempts(6))
                .get(0);

        List<Long> waits = new ArrayList<>();
        for (int attempt = 1; attempt <= 5; attempt++) {
            report(ann, failed(claimWhenDue(ann)));
            Message waiting = message(id);
            assertThat(waiting.status()).isEqualTo(MessageStatus.WAITING);
            assertThat(waiting.attempt()).isEqualTo(attempt);
            waits.add(
                    Duration.between(waiting.times().statusAt(), waiting.times().dueAt())
                            .toMillis());
        }

        assertThat(waits).containsExactly(20L, 100L, 300L, 300L, 300L);
        assertThat(message(id).failures()).contains("no such address");
    }

    @Test
    void usesRetrySettingsOfQueue() {
        configureUnlikeDefaults();

        assertThat(delaysUntilDead(spec("a"))).containsExactly(10L, 30L, 50L);
    }

    @Test
    void messageOverridesRetrySettingsOfQueue() {
        configureUnlikeDefaults();
        Backoff own = new Backoff(Duration.ofMillis(7), 2, Duration.ofMillis(14), 0);

        assertThat(delaysUntilDead(spec("fewer").maxAttempts(2))).containsExactly(10L);
        assertThat(delaysUntilDead(spec("more").maxAttempts(5))).containsExactly(10L, 30L, 50L, 50L);
        assertThat(delaysUntilDead(spec("sooner").backoff(own))).containsExactly(7L, 14L, 14L);
        assertThat(delaysUntilDead(spec("both").maxAttempts(3).backoff(own))).containsExactly(7L, 14L);
    }

    /** Four attempts, after 10, 30 and 50 milliseconds. */
    private void configureUnlikeDefaults() {
        queues.open(QUEUE);
        Backoff usual = new Backoff(Duration.ofMillis(10), 3, Duration.ofMillis(50), 0);
        queues.configure(QUEUE, new QueueSetup(null, 4, usual, Queue.Limits.NONE, null));
    }

    /** In milliseconds, one for each attempt but the last. */
    private List<Long> delaysUntilDead(Spec spec) {
        long id = push(spec).get(0);
        List<Long> waits = new ArrayList<>();
        report(ann, failed(claimWhenDue(ann)));
        while (message(id).status() == MessageStatus.WAITING) {
            waits.add(waitOf(id).toMillis());
            report(ann, failed(claimWhenDue(ann)));
        }
        assertThat(message(id).death().cause()).isEqualTo("EXHAUSTED");
        return waits;
    }

    @Test
    void doesNotClaimDuringBackoff() {
        push(spec("a").backoff(new Backoff(Duration.ofMinutes(1), 3, Duration.ofMinutes(5), 0)));

        report(ann, failed(claim(ann, 1).get(0)));

        assertThat(claim(ann, 1)).isEmpty();
    }

    @Test
    @Tag("must-kernel")
    void appliesJitterOfMessageAndQueue() {
        queues.open(QUEUE);
        Backoff minute = new Backoff(Duration.ofMinutes(1), 1, Duration.ofHours(1), 0.5);
        queues.configure(QUEUE, new QueueSetup(null, 9, minute, Queue.Limits.NONE, null));
        Backoff hour = new Backoff(Duration.ofHours(1), 1, Duration.ofHours(2), 0.5);

        List<Duration> ofQueue = jittered(spec("of the queue"));
        List<Duration> own = jittered(spec("its own").backoff(hour));

        assertThat(ofQueue)
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofSeconds(30), Duration.ofSeconds(90)));
        assertThat(own)
                .allSatisfy(delay -> assertThat(delay).isBetween(Duration.ofMinutes(30), Duration.ofMinutes(90)));
        assertThat(Stream.concat(ofQueue.stream(), own.stream()).distinct()).hasSizeGreaterThan(10);
    }

    private List<Duration> jittered(Spec spec) {
        List<Long> ids = push(Stream.generate(() -> spec).limit(8).toArray(Spec[]::new));
        claim(ann, 8).forEach(message -> report(ann, failed(message)));
        return ids.stream().map(this::waitOf).toList();
    }

    @Test
    void usesDelayRequestedByHandler() {
        push(spec("a"));
        ClaimedMessage claimed = claim(ann, 1).get(0);
        Instant before = Instant.now();

        report(ann, retryAfter(claimed, Duration.ofHours(3)));

        assertThat(message(claimed.id()).times().dueAt())
                .isBetween(before.plus(Duration.ofMinutes(179)), before.plus(Duration.ofMinutes(181)));
    }

    @Test
    void limitsRequestedDelayToOneYear() {
        push(spec("a"), spec("b"));
        List<ClaimedMessage> claimed = claim(ann, 2);

        report(ann, retryAfter(claimed.get(0), Duration.ofDays(365)), retryAfter(claimed.get(1), Duration.ofDays(500)));

        assertThat(waitOf(claimed.get(0).id())).isEqualTo(Duration.ofDays(365));
        assertThat(waitOf(claimed.get(1).id())).isEqualTo(Duration.ofDays(366));
    }

    private Duration waitOf(long id) {
        return waitOf(QUEUE, id);
    }

    private Duration waitOf(String queue, long id) {
        Message.Times times = reader.get(queues.get(queue), id).times();
        return Duration.between(times.statusAt(), times.dueAt());
    }

    @Test
    void acceptsExtremeNumbers() {
        push(spec("a"), spec("b"));
        List<ClaimedMessage> claimed = claim(ann, 2);

        Turn turn = report(
                ann,
                new MessageResult(claimed.get(0).id(), claimed.get(0).logId(), 200, null, false, null, Long.MAX_VALUE),
                new MessageResult(
                        claimed.get(1).id(), claimed.get(1).logId(), 500, null, false, Long.MAX_VALUE, Long.MIN_VALUE));

        assertThat(turn.refused()).isEmpty();
        assertThat(message(claimed.get(1).id()).times().dueAt())
                .isBefore(Instant.now().plus(Duration.ofDays(367)));
    }

    @Test
    void deadLettersAfterLastAttempt() {
        long id = push(spec("a").maxAttempts(2)).get(0);
        report(ann, retryAfter(claim(ann, 1).get(0), Duration.ZERO));

        report(ann, failed(claim(ann, 1).get(0)));

        Message dead = message(id);
        assertThat(dead.status()).isEqualTo(MessageStatus.DEAD);
        assertThat(dead.attempt()).isEqualTo(2);
        assertThat(dead.death().cause()).isEqualTo("EXHAUSTED");
        assertThat(dead.death().error()).isEqualTo("java.io.IOException: no such address");
        assertThat(dead.death().stack()).contains("at com.acme.Mailer.send(Mailer.java:7)");
        assertThat(dead.failures()).contains("\"attempt\": 1", "busy", "\"attempt\": 2", "no such address");
        assertThat(claim(ann, 1)).isEmpty();
    }

    @Test
    void deadLettersNonRetryableFailure() {
        long id = push(spec("a").maxAttempts(5)).get(0);

        report(ann, failedForGood(claim(ann, 1).get(0), "bad payload"));

        assertThat(message(id).death().cause()).isEqualTo("FAILED_FOR_GOOD");
    }

    @Test
    void keepsEveryDeadLetter() {
        List<Long> pushed = push(IntStream.range(0, 1_200)
                .mapToObj(i -> spec("m" + i).maxAttempts(1))
                .toArray(Spec[]::new));
        for (List<ClaimedMessage> some = claim(ann, 300); !some.isEmpty(); some = claim(ann, 300)) {
            report(ann, some.stream().map(QueueDriverConformance::failed).toArray(MessageResult[]::new));
        }

        assertThat(pushed).allSatisfy(id -> assertThat(message(id).status()).isEqualTo(MessageStatus.DEAD));
    }

    @Test
    void releasesUnstartedMessage() {
        push(spec("a").maxAttempts(1));
        ClaimedMessage claimed = claim(ann, 1).get(0);

        report(ann, givenBack(claimed));

        ClaimedMessage again = claim(bob, 1).get(0);
        assertThat(again.attempt()).isEqualTo(1);
        assertThat(again.logId()).isNotEqualTo(claimed.logId());
        assertThat(message(claimed.id()).failures()).isNull();
    }

    // --- retries

    @Test
    void putsRetriedMessageBehindWaitingOnes() {
        long dead = dead("a", null);
        push(spec("b"), spec("c"));

        assertThat(driver.retry(QUEUE, Collections.singletonMap(dead, null))).containsExactly(dead);

        List<ClaimedMessage> claimed = claim(ann, 5);
        assertThat(claimed).extracting(ClaimedMessage::payload).containsExactly("b", "c", "a");
        assertThat(claimed.get(2).attempt()).isEqualTo(1);
        assertThat(claimed.get(2).id()).isEqualTo(dead);
    }

    @Test
    void retriesDeadLetterOnce() {
        long dead = dead("a", null);

        assertThat(driver.retry(QUEUE, Map.of(dead, "edited"))).containsExactly(dead);
        assertThat(driver.retry(QUEUE, Map.of(dead, "again"))).isEmpty();
        assertThat(driver.discard(QUEUE, List.of(), List.of(dead))).isEmpty();

        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("edited");
    }

    @Test
    void eachAttemptHasOwnLog() {
        long id = push(spec("a").maxAttempts(2)).get(0);
        List<ClaimedMessage> claims = new ArrayList<>();
        claims.add(claim(ann, 1).get(0));
        report(ann, givenBack(claims.get(0)));
        claims.add(claim(ann, 1).get(0));
        report(ann, retryAfter(claims.get(1), Duration.ZERO));
        claims.add(claimWhenDue(ann));
        report(ann, failedForGood(claims.get(2), "no"));
        driver.retry(QUEUE, Collections.singletonMap(id, null));
        claims.add(claim(ann, 1).get(0));
        push(spec("b"));
        claims.add(claim(ann, 1).get(0));

        assertThat(claims)
                .extracting(ClaimedMessage::logId)
                .doesNotHaveDuplicates()
                .hasSize(5);
    }

    @Test
    void storesLogIdOfEachClaim() {
        push(IntStream.range(0, 40)
                .mapToObj(i -> spec("m" + i)
                        .lane(i % 3 == 0 ? Lane.CRITICAL : Lane.LOW)
                        .backoff(AT_ONCE))
                .toArray(Spec[]::new));
        claim(ann, 40).stream()
                .filter(message -> message.id() % 2 == 0)
                .forEach(message -> report(ann, givenBack(message)));
        goes(ann);
        driver.release(100, Duration.ZERO, Duration.ZERO);

        List<ClaimedMessage> claimed = claim(bob, 40);

        assertThat(claimed).hasSize(40);
        assertThat(claimed)
                .allSatisfy(one -> assertThat(message(one.id()).logId()).isEqualTo(one.logId()));
    }

    @Test
    void keepsLatestFailuresOfRepeatedlyRetriedMessage() {
        long id = push(spec("a").maxAttempts(1)).get(0);
        for (int i = 1; i <= 103; i++) {
            report(ann, failedForGood(claim(ann, 1).get(0), "failure-" + i + "."));
            driver.retry(QUEUE, Collections.singletonMap(id, null));
        }

        assertThat(message(id).failures())
                .contains("failure-103.", "failure-100.", "failure-5.", "failure-4.")
                .doesNotContain("failure-1.", "failure-3.");
    }

    @Test
    void discardsWaitingAndDeadMessages() {
        long dead = dead("a", null);
        long waiting = push(spec("b")).get(0);
        long running = push(spec("c").lane(Lane.HIGH)).get(0);
        claim(ann, 1);

        assertThat(driver.discard(QUEUE, List.of(waiting, running), List.of(dead)))
                .containsExactlyInAnyOrder(waiting, dead);

        assertThat(message(waiting).status()).isEqualTo(MessageStatus.DISCARDED);
        assertThat(message(dead).status()).isEqualTo(MessageStatus.DISCARDED);
        assertThat(message(running).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(claim(ann, 5)).isEmpty();
    }

    @Test
    void listsWaitingMessagesById() {
        long running = push(spec("a").lane(Lane.CRITICAL)).get(0);
        claim(ann, 1);
        List<Long> waiting = push(
                spec("b"),
                spec("c").lane(Lane.HIGH),
                spec("d").delay(Duration.ofHours(1)),
                spec("e").groupKey("g"),
                spec("f").groupKey("g"));
        Instant soon = Instant.now().plusSeconds(60);

        assertThat(driver.waiting(QUEUE, 0, soon, 10)).isEqualTo(waiting).doesNotContain(running);
        assertThat(driver.waiting(QUEUE, waiting.get(1), soon, 2)).isEqualTo(waiting.subList(2, 4));
        assertThat(driver.waiting(QUEUE, 0, message(waiting.get(0)).times().pushedAt(), 10))
                .isEmpty();
    }

    @Test
    void countsReadyMessages() {
        push(spec("a"));
        claim(ann, 1);
        push(
                spec("b"),
                spec("c").lane(Lane.HIGH),
                spec("d").delay(Duration.ofHours(1)),
                spec("e").groupKey("g"),
                spec("f").groupKey("g"));

        assertThat(driver.ready(List.of(QUEUE, "no such queue"), 10)).containsExactly(Map.entry(QUEUE, 3));
        assertThat(driver.ready(List.of(QUEUE), 2)).containsExactly(Map.entry(QUEUE, 2));
    }

    // --- dead executors

    @Test
    void requeuesMessagesOfDeadExecutor() {
        push(spec("a").backoff(AT_ONCE), spec("b").backoff(AT_ONCE));
        ClaimedMessage ofAnn = claim(ann, 1).get(0);
        ClaimedMessage ofBob = claim(bob, 1).get(0);
        goes(ann);

        assertThat(driver.release(100, Duration.ZERO, Duration.ZERO)).containsExactly(new Released(QUEUE, "ann", 1));

        ClaimedMessage again = claim(bob, 5).get(0);
        assertThat(again.id()).isEqualTo(ofAnn.id());
        assertThat(again.attempt()).isEqualTo(2);
        assertThat(report(ann, done(ofAnn)).refused()).containsExactly(ofAnn.id());
        assertThat(message(ofBob.id()).status()).isEqualTo(MessageStatus.RUNNING);
        assertThat(driver.release(100, Duration.ZERO, Duration.ZERO)).isEmpty();
    }

    @Test
    @Tag("must-first")
    void delaysNextAttemptAfterDeadExecutor() {
        push(spec("a"));
        ClaimedMessage claimed = claim(ann, 1).get(0);
        Map.Entry<String, ClaimedMessage> task = claimTask(ann);
        goes(ann);

        driver.release(100, Duration.ZERO, Duration.ofSeconds(30));

        assertThat(waitOf(claimed.id())).isEqualTo(Duration.ofSeconds(30));
        assertThat(waitOf(task.getKey(), task.getValue().id()))
                .as("the handler of a pipeline task may go on until the executor's next heartbeat, too")
                .isEqualTo(Duration.ofSeconds(30));
        assertThat(claim(bob, 5)).as("before the delay has passed").isEmpty();
        assertThat(driver.nextDue(List.of(QUEUE)))
                .containsEntry(QUEUE, message(claimed.id()).times().dueAt());
    }

    @Test
    @Tag("must-kernel")
    void appliesBackoffToLostAttempts() {
        Backoff hour = new Backoff(Duration.ofHours(1), 1, Duration.ofHours(1), 0);
        long released = push(spec("a").backoff(hour)).get(0);
        long lost = push(spec("b").backoff(hour)).get(0);
        List<ClaimedMessage> claimed = new ArrayList<>(claim(ann, 1));
        claimed.addAll(claim(bob, 1));
        goes(ann);

        driver.release(100, Duration.ZERO, Duration.ofSeconds(30));
        ClaimedMessage ofBob = claimed.get(1);
        driver.lose(
                QUEUE,
                bob,
                List.of(new InFlight(QUEUE, ofBob.id(), bob, ofBob.logId(), Duration.ZERO)),
                HeldWork.Loss.NOT_HELD);

        assertThat(List.of(waitOf(released), waitOf(lost))).containsOnly(Duration.ofHours(1));
    }

    @Test
    @Tag("must-first")
    void revokesClaimsOfDeadExecutor() {
        push(spec("a"), spec("b"), spec("c").maxAttempts(1), spec("d"));
        List<ClaimedMessage> ofAnn = claim(ann, 3);
        report(ann, done(ofAnn.get(0)));
        claim(bob, 1);
        goes(ann);

        driver.release(100, Duration.ZERO, Duration.ZERO);

        assertThat(revoked(ann))
                .containsExactlyInAnyOrder(ofAnn.get(1).logId(), ofAnn.get(2).logId());
        assertThat(revoked(bob)).isEmpty();
    }

    @Test
    void givesNothingToDeadExecutor() {
        push(spec("a"));
        goes(ann);

        assertThat(claim(ann, 5)).isEmpty();
        assertThat(claim(bob, 5)).extracting(ClaimedMessage::attempt).containsExactly(1);
    }

    @Test
    void deadLettersMessageWhoseExecutorsDie() {
        long id = push(spec("poison").maxAttempts(1)).get(0);
        claim(ann, 1);
        goes(ann);

        driver.release(100, Duration.ZERO, Duration.ZERO);

        assertThat(message(id).status()).isEqualTo(MessageStatus.DEAD);
        assertThat(message(id).death().error()).isEqualTo("its executor is gone");
    }

    @Test
    void releasesManyMessagesInSteps() {
        push(IntStream.range(0, 26)
                .mapToObj(i -> spec("m" + i).backoff(AT_ONCE))
                .toArray(Spec[]::new));
        claim(ann, 25);
        goes(ann);

        claim(bob, 1);
        goes(bob);

        assertThat(driver.release(10, Duration.ZERO, Duration.ZERO))
                .containsExactlyInAnyOrder(new Released(QUEUE, "ann", 25), new Released(QUEUE, "bob", 1));

        assertThat(reader.depth(queues.get(QUEUE))).isEqualTo(new Depth(26, 0, 0));
        assertThat(reader.open(queues.get(QUEUE), MessageStatus.WAITING, 0, 50)).hasSize(26);
        assertThat(driver.release(10, Duration.ZERO, Duration.ZERO)).isEmpty();
    }

    // --- controls

    /** Includes delayed messages that became due during the pause. */
    @Test
    void claimsFromNoLaneWhilePaused() {
        push(
                spec("critical").lane(Lane.CRITICAL),
                spec("default"),
                spec("delayed").lane(Lane.LOW).delay(Duration.ofMillis(200)));
        queues.pause(QUEUE);
        Awaitility.await().until(() -> driver.ready(List.of(QUEUE), 5).get(QUEUE) == 3);

        assertThat(claim(ann, 5)).isEmpty();
        assertThat(driver.nextDue(List.of(QUEUE))).isEmpty();

        queues.resume(QUEUE);
        assertThat(claim(ann, 5)).hasSize(3);
    }

    @Test
    void pausesBusyQueue() throws Exception {
        queues.open(QUEUE);
        AtomicBoolean over = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        for (int i = 0; i < 8; i++) {
            int strand = i;
            threads.execute(() -> {
                while (!over.get()) {
                    push(spec("m"), spec("n"));
                    Claim claim = new Claim(ann, strand, UUID.randomUUID().toString(), 0, 0, 2, 0);
                    driver.work(QUEUE, List.of(), claim);
                }
            });
        }
        try {
            for (int i = 0; i < 5; i++) {
                long begin = System.nanoTime();
                queues.pause(QUEUE);
                assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(20));
                assertThat(claim(bob, 5)).isEmpty();
                queues.resume(QUEUE);
            }
        } finally {
            over.set(true);
            threads.shutdown();
            assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void acceptsResultsWhilePaused() {
        push(spec("a"));
        ClaimedMessage claimed = claim(ann, 1).get(0);
        queues.pause(QUEUE);

        assertThat(report(ann, done(claimed)).counted()).isEqualTo(1);
    }

    @Test
    void keepsConcurrencyLimit() {
        push(IntStream.range(0, 10).mapToObj(i -> spec("m" + i)).toArray(Spec[]::new));
        ClaimedMessage before = claim(ann, 1).get(0);
        limit(new Queue.Limits(null, 3));

        List<ClaimedMessage> claimed = claim(ann, 10);
        assertThat(claimed).hasSize(2);
        assertThat(claim(bob, 10)).isEmpty();

        report(ann, done(before), failed(claimed.get(0)));
        assertThat(claim(bob, 10)).hasSize(2);

        goes(bob);
        driver.release(10, Duration.ZERO, Duration.ZERO);
        assertThat(claim(ann, 10)).hasSize(2);
    }

    @Test
    void keepsRateLimit() {
        push(IntStream.range(0, 100).mapToObj(i -> spec("m" + i)).toArray(Spec[]::new));
        Instant begin = Instant.now();
        limit(new Queue.Limits(5, null));

        int claimed = 0;
        while (claimed < 10) {
            claimed += claim(ann, 100).size();
        }
        Duration taken = Duration.between(begin, Instant.now());

        assertThat(taken).isGreaterThan(Duration.ofMillis(1_500));
        assertThat(claimed).isLessThanOrEqualTo(10 + 5);
    }

    @Test
    void nextDueRespectsLimits() {
        push(spec("a"), spec("b"), spec("c"));
        limit(new Queue.Limits(null, 1));
        assertThat(driver.nextDue(List.of(QUEUE))).containsOnlyKeys(QUEUE);
        ClaimedMessage first = claim(ann, 1).get(0);
        assertThat(driver.nextDue(List.of(QUEUE))).as("one runs").isEmpty();
        report(ann, done(first));
        assertThat(driver.nextDue(List.of(QUEUE))).containsOnlyKeys(QUEUE);

        Instant before = Instant.now();
        limit(new Queue.Limits(1, null));
        assertThat(driver.nextDue(List.of(QUEUE)).get(QUEUE))
                .as("nothing is saved up")
                .isBetween(before.plusMillis(500), Instant.now().plusSeconds(5));
    }

    @Test
    void countsRunningMessagesWhenLimitIsSet() {
        push(IntStream.range(0, 10).mapToObj(i -> spec("m" + i)).toArray(Spec[]::new));
        List<ClaimedMessage> claimed = claim(ann, 4);
        report(ann, done(claimed.get(0)), retryAfter(claimed.get(1), Duration.ZERO));

        limit(new Queue.Limits(null, 5));

        assertThat(claim(bob, 10)).hasSize(3);
        assertThat(reader.depth(queues.get(QUEUE))).isEqualTo(new Depth(4, 5, 0));
    }

    // --- keys

    @Test
    void addsMessageWithUniqueKeyOnce() {
        List<Pushed> pushed = queues.push(
                QUEUE,
                Stream.of(spec("a").uniqueKey("k"), spec("b").uniqueKey("k"), spec("c"))
                        .map(Spec::build)
                        .toList());
        List<Pushed> later = queues.push(QUEUE, List.of(spec("d").uniqueKey("k").build()));

        assertThat(pushed).extracting(Pushed::duplicate).containsExactly(false, true, false);
        assertThat(pushed.get(1).id()).isEqualTo(pushed.get(0).id());
        assertThat(later).containsExactly(new Pushed(pushed.get(0).id(), true));
        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("a", "c");
    }

    @Test
    void freesKeyOfFinishedMessage() {
        push(spec("a").uniqueKey("k"));
        report(ann, done(claim(ann, 1).get(0)));

        assertThat(queues.push(QUEUE, List.of(spec("b").uniqueKey("k").build())))
                .extracting(Pushed::duplicate)
                .containsExactly(false);
    }

    @Test
    void retriedMessageHoldsItsKeyAgain() {
        long dead = deadWithKey("a", "k");

        driver.retry(QUEUE, Collections.singletonMap(dead, null));

        assertThat(pushed("b", "k")).isEqualTo(new Pushed(dead, true));
        ClaimedMessage claimed = claim(ann, 5).get(0);
        assertThat(pushed("b", "k")).isEqualTo(new Pushed(dead, true));
        report(ann, done(claimed));
        assertThat(pushed("b", "k").duplicate()).isFalse();
    }

    @Test
    void retriesMessageWhoseKeyIsHeldByAnother() {
        long first = deadWithKey("a", "k");
        long second = deadWithKey("b", "k");
        long taken = pushed("c", "k").id();

        driver.retry(QUEUE, Collections.singletonMap(first, null));
        driver.retry(QUEUE, Collections.singletonMap(second, null));

        List<ClaimedMessage> claimed = claim(ann, 5);
        assertThat(claimed).extracting(ClaimedMessage::payload).containsExactlyInAnyOrder("a", "b", "c");
        report(
                ann,
                claimed.stream()
                        .filter(message -> message.id() != taken)
                        .map(QueueDriverConformance::done)
                        .toArray(MessageResult[]::new));
        assertThat(pushed("d", "k")).as("it was not theirs to free").isEqualTo(new Pushed(taken, true));
    }

    @Test
    void oneOfSeveralRetriedMessagesHoldsKey() {
        long first = deadWithKey("a", "k");
        long second = deadWithKey("b", "k");
        Map<Long, String> both = new HashMap<>();
        both.put(first, null);
        both.put(second, null);

        assertThat(driver.retry(QUEUE, both)).containsExactlyInAnyOrder(first, second);

        assertThat(pushed("c", "k").duplicate()).isTrue();
    }

    private Pushed pushed(String payload, String key) {
        return queues.push(QUEUE, List.of(spec(payload).uniqueKey(key).build())).get(0);
    }

    private long deadWithKey(String payload, String key) {
        long id = push(spec(payload).maxAttempts(1).uniqueKey(key)).get(0);
        report(ann, failed(claim(ann, 1).get(0)));
        assertThat(message(id).status()).isEqualTo(MessageStatus.DEAD);
        return id;
    }

    @Test
    void keepsKeyForUniqueForAfterMessageFinishes() {
        push(spec("a").uniqueKey("k").uniqueFor(Duration.ofHours(1)));
        report(ann, done(claim(ann, 1).get(0)));

        assertThat(queues.push(QUEUE, List.of(spec("b").uniqueKey("k").build())))
                .extracting(Pushed::duplicate)
                .containsExactly(true);
    }

    @Test
    void freesKeyAfterUniqueFor() {
        push(spec("a").uniqueKey("k").uniqueFor(Duration.ofMillis(1)));

        List<Pushed> again;
        do {
            again = queues.push(QUEUE, List.of(spec("b").uniqueKey("k").build()));
        } while (again.get(0).duplicate());

        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("a", "b");
    }

    @Test
    void concurrentPushesAddOneMessageWithKey() throws Exception {
        queues.open(QUEUE);
        ExecutorService threads = Executors.newFixedThreadPool(8);
        List<Future<List<Pushed>>> pushes = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            String payload = "m" + i;
            pushes.add(threads.submit(() ->
                    queues.push(QUEUE, List.of(spec(payload).uniqueKey("k").build()))));
        }
        Set<Long> ids = new HashSet<>();
        int added = 0;
        for (Future<List<Pushed>> push : pushes) {
            ids.add(push.get().get(0).id());
            added += push.get().get(0).duplicate() ? 0 : 1;
        }
        threads.shutdown();

        assertThat(added).isEqualTo(1);
        assertThat(ids).hasSize(1);
        assertThat(claim(ann, 5)).hasSize(1);
    }

    @Test
    void rejectsKeysThatAreNotText() {
        for (Spec bad : List.of(spec("a").uniqueKey("\ud800"), spec("a").groupKey("\udc00"))) {
            assertThatThrownBy(() -> push(bad))
                    .isInstanceOf(OrthException.class)
                    .hasMessageContaining("Key");
        }
    }

    // --- groups

    @Test
    void claimsGroupOneAtATimeInOrder() {
        push(spec("a1").groupKey("a"), spec("b1").groupKey("b"), spec("a2").groupKey("a"), spec("free"));

        List<ClaimedMessage> first = claim(ann, 5);
        assertThat(first).extracting(ClaimedMessage::payload).containsExactly("a1", "b1", "free");
        push(spec("a3").groupKey("a"));
        assertThat(claim(bob, 5)).isEmpty();

        report(ann, done(first.get(0)));
        assertThat(claim(bob, 5)).extracting(ClaimedMessage::payload).containsExactly("a2");
    }

    @Test
    void blocksGroupDuringRetryDelay() {
        push(spec("a1").groupKey("a"), spec("a2").groupKey("a"));
        report(ann, retryAfter(claim(ann, 5).get(0), Duration.ofHours(1)));

        assertThat(claim(ann, 5)).isEmpty();
    }

    @Test
    void continuesGroupAfterDeadOrDiscardedMessage() {
        List<Long> pushed = push(
                spec("a1").groupKey("a").maxAttempts(1),
                spec("a2").groupKey("a"),
                spec("a3").groupKey("a"),
                spec("a4").groupKey("a"));
        report(ann, failed(claim(ann, 5).get(0)));
        driver.discard(QUEUE, List.of(pushed.get(2)), List.of());

        ClaimedMessage second = claim(ann, 5).get(0);
        assertThat(second.payload()).isEqualTo("a2");
        assertThat(claim(ann, 5)).isEmpty();
        report(ann, done(second));
        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("a4");
    }

    @Test
    void continuesGroupAfterItsFirstIsDiscarded() {
        List<Long> pushed = push(
                spec("a1").groupKey("a"), spec("a2").groupKey("a"), spec("a3").groupKey("a"));
        driver.discard(QUEUE, List.of(pushed.get(1)), List.of());
        assertThat(driver.discard(QUEUE, List.of(pushed.get(0)), List.of())).hasSize(1);

        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("a3");
    }

    @Test
    void claimsOneOfSeveralRetriedInGroup() {
        long first = dead("a1", "a");
        long second = dead("a2", "a");
        driver.retry(QUEUE, Collections.singletonMap(second, null));
        driver.retry(QUEUE, Collections.singletonMap(first, null));

        ClaimedMessage claimed = claim(ann, 5).get(0);
        assertThat(claimed.payload()).isEqualTo("a2");
        assertThat(claim(ann, 5)).isEmpty();
        report(ann, done(claimed));
        assertThat(claim(ann, 5)).extracting(ClaimedMessage::payload).containsExactly("a1");
    }

    @Test
    void putsRetriedMessageAtEndOfGroup() {
        long dead = dead("a1", "a");
        push(spec("a2").groupKey("a"), spec("a3").groupKey("a"));
        driver.retry(QUEUE, Collections.singletonMap(dead, null));

        List<String> order = new ArrayList<>();
        for (List<ClaimedMessage> some = claim(ann, 5); !some.isEmpty(); some = claim(ann, 5)) {
            assertThat(some).hasSize(1);
            order.add(some.get(0).payload());
            report(ann, done(some.get(0)));
        }
        assertThat(order).containsExactly("a2", "a3", "a1");
    }

    @Test
    void continuesGroupOfDeadExecutor() {
        push(spec("a1").groupKey("a").backoff(AT_ONCE), spec("a2").groupKey("a"));
        claim(ann, 5);
        goes(ann);
        driver.release(10, Duration.ZERO, Duration.ZERO);

        assertThat(claim(bob, 5)).extracting(ClaimedMessage::payload).containsExactly("a1");
    }

    @Test
    void keepsOrderOfGroupsUnderLoad() throws Exception {
        int groups = 5;
        int each = 30;
        queues.open(QUEUE);
        ExecutorService threads = Executors.newFixedThreadPool(6);
        List<Future<?>> work = new ArrayList<>();
        for (int g = 0; g < groups; g++) {
            String group = "g" + g;
            work.add(threads.submit(() -> {
                for (int i = 0; i < each; i++) {
                    push(spec(group + ":" + i).groupKey(group));
                }
            }));
        }
        Map<String, List<String>> seen = new HashMap<>();
        int total = 0;
        while (total < groups * each) {
            List<ClaimedMessage> some = claim(ann, 3);
            for (ClaimedMessage message : some) {
                seen.computeIfAbsent(
                                message.payload().substring(0, message.payload().indexOf(':')),
                                any -> new ArrayList<>())
                        .add(message.payload());
            }
            report(ann, some.stream().map(QueueDriverConformance::done).toArray(MessageResult[]::new));
            total += some.size();
        }
        for (Future<?> one : work) {
            one.get();
        }
        threads.shutdown();

        assertThat(seen).hasSize(groups);
        seen.forEach((group, payloads) -> assertThat(payloads)
                .containsExactlyElementsOf(
                        IntStream.range(0, each).mapToObj(i -> group + ":" + i).toList()));
    }

    // --- helpers

    /** Makes the next attempt due immediately. */
    static final Backoff AT_ONCE = new Backoff(Duration.ZERO, 1, Duration.ZERO, 0);

    /** Builder of a message. */
    static final class Spec {
        private final String payload;
        private Lane lane = Lane.DEFAULT;
        private Instant dueAt;
        private Duration delay;
        private String uniqueKey;
        private Duration uniqueFor;
        private String groupKey;
        private Integer maxAttempts;
        private Backoff backoff;
        private Map<String, String> metadata = Map.of();
        private String traceId;

        Spec(String payload) {
            this.payload = payload;
        }

        Spec lane(Lane value) {
            lane = value;
            return this;
        }

        Spec dueAt(Instant value) {
            dueAt = value;
            return this;
        }

        Spec delay(Duration value) {
            delay = value;
            return this;
        }

        Spec uniqueKey(String value) {
            uniqueKey = value;
            return this;
        }

        Spec uniqueFor(Duration value) {
            uniqueFor = value;
            return this;
        }

        Spec groupKey(String value) {
            groupKey = value;
            return this;
        }

        Spec maxAttempts(int value) {
            maxAttempts = value;
            return this;
        }

        Spec backoff(Backoff value) {
            backoff = value;
            return this;
        }

        Spec metadata(Map<String, String> value) {
            metadata = value;
            return this;
        }

        Spec traceId(String value) {
            traceId = value;
            return this;
        }

        MessageSpec build() {
            return new MessageSpec(
                    payload,
                    lane,
                    dueAt,
                    delay,
                    uniqueKey,
                    uniqueFor,
                    groupKey,
                    maxAttempts,
                    backoff,
                    metadata,
                    traceId,
                    null);
        }
    }

    static Spec spec(String payload) {
        return new Spec(payload);
    }

    final List<Long> push(Spec... specs) {
        return queues.push(QUEUE, Stream.of(specs).map(Spec::build).toList()).stream()
                .map(Pushed::id)
                .toList();
    }

    final List<ClaimedMessage> claim(long executor, int slots) {
        return driver.work(QUEUE, List.of(), QueueFixture.claim(executor, slots))
                .messages();
    }

    private ClaimedMessage claimWhenDue(long executor) {
        List<ClaimedMessage> claimed;
        do {
            claimed = claim(executor, 1);
        } while (claimed.isEmpty());
        return claimed.get(0);
    }

    final Turn report(long executor, MessageResult... results) {
        return driver.work(QUEUE, List.of(results), QueueFixture.claim(executor, 0));
    }

    final Message message(long id) {
        return reader.get(queues.get(QUEUE), id);
    }

    final long dead(String payload, String group) {
        long id = push(spec(payload).maxAttempts(1).groupKey(group).lane(Lane.DEFAULT))
                .get(0);
        report(ann, failed(claim(ann, 1).get(0)));
        assertThat(message(id).status()).isEqualTo(MessageStatus.DEAD);
        return id;
    }

    final void limit(Queue.Limits limits) {
        queues.configure(QUEUE, new QueueSetup(null, 3, Backoff.DEFAULT, limits, null));
    }

    static MessageResult done(ClaimedMessage message) {
        return new MessageResult(message.id(), message.logId(), 200, null, false, null, 3);
    }

    static MessageResult failed(ClaimedMessage message) {
        return new MessageResult(
                message.id(),
                message.logId(),
                500,
                "java.io.IOException: no such address\n\tat com.acme.Mailer.send(Mailer.java:7)",
                false,
                null,
                3);
    }

    static MessageResult failedForGood(ClaimedMessage message, String error) {
        return new MessageResult(message.id(), message.logId(), 500, error, true, null, 1);
    }

    static MessageResult givenBack(ClaimedMessage message) {
        return new MessageResult(message.id(), message.logId(), Codes.NONE, null, false, null, 0);
    }

    static MessageResult retryAfter(ClaimedMessage message, Duration delay) {
        return new MessageResult(message.id(), message.logId(), 500, "busy", false, delay.toMillis(), 3);
    }
}
