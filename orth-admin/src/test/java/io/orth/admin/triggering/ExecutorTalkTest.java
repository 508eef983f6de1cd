package io.orth.admin.triggering;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class ExecutorTalkTest {

    private static final Duration SOON = Duration.ofSeconds(15);

    private final ExecutorTalk talk = new ExecutorTalk(1, 2);
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch answer = new CountDownLatch(1);

    @BeforeEach
    void start() {
        talk.start();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void stopWaitsForRunningRequests(boolean sending) throws Exception {
        CompletableFuture<String> work = talkUntilAnswered(sending ? talk.senders() : talk.askers());

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(talk::stop);
        assertThat(stopped.copy().completeOnTimeout(null, 300, TimeUnit.MILLISECONDS))
                .succeedsWithin(SOON);
        assertThat(stopped).isNotDone();
        answer.countDown();

        assertThat(stopped).succeedsWithin(SOON);
        assertThat(work).isCompletedWithValue("recorded");
        assertThat(talk.isRunning()).isFalse();
    }

    @Test
    void stopInterruptsHangingRequestAfterGracePeriod() throws Exception {
        CompletableFuture<String> work = talkUntilAnswered(talk.senders());

        talk.stop();

        assertThat(work).succeedsWithin(SOON).isEqualTo("interrupted");
    }

    @Test
    void rejectsRequestsAfterStop() {
        talk.stop();

        assertThatThrownBy(() -> talk.senders().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
        assertThatThrownBy(() -> talk.askers().execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void sendersDoNotUseThreadsOfAskers() throws Exception {
        CompletableFuture<String> sending = talkUntilAnswered(talk.senders());

        assertThat(CompletableFuture.supplyAsync(() -> "asked", talk.askers()))
                .succeedsWithin(SOON)
                .isEqualTo("asked");
        answer.countDown();
        assertThat(sending).succeedsWithin(SOON);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("must-first")
    void queuesRequestsWhileAllThreadsAreBusy(boolean sending) throws Exception {
        Executor threads = sending ? talk.senders() : talk.askers();
        CompletableFuture<String> first = talkUntilAnswered(threads);

        CompletableFuture<String> second = CompletableFuture.supplyAsync(() -> "second", threads);
        CompletableFuture<String> third = CompletableFuture.supplyAsync(() -> "third", threads);
        assertThatThrownBy(() -> threads.execute(() -> {}))
                .as("no more wait than there is room for")
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(second).isNotDone();
        answer.countDown();

        assertThat(first).succeedsWithin(SOON);
        assertThat(second).succeedsWithin(SOON).isEqualTo("second");
        assertThat(third).succeedsWithin(SOON).isEqualTo("third");
    }

    private CompletableFuture<String> talkUntilAnswered(Executor threads) throws InterruptedException {
        CompletableFuture<String> work = CompletableFuture.supplyAsync(
                () -> {
                    begun.countDown();
                    try {
                        answer.await();
                        return "recorded";
                    } catch (InterruptedException e) {
                        return "interrupted";
                    }
                },
                threads);
        begun.await();
        return work;
    }
}
