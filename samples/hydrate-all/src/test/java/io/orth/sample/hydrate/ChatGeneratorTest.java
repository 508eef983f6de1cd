package io.orth.sample.hydrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.FailForGoodException;
import io.orth.executor.RetryAfterException;
import io.orth.sample.hydrate.FakeChat.Answer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Tag("must-pipelines")
@Timeout(30)
class ChatGeneratorTest {

    private static final Prompt PROMPT = new Prompt("topic", "t-1", "Sets", "en", 0);
    private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    private final FakeChat chat = new FakeChat();

    @AfterEach
    void close() {
        chat.close();
    }

    @Test
    void asksWithModelKeyAndTrace() throws Exception {
        chat.next.add(Answer.text(" Sets are collections. "));

        assertThat(generator(0, Duration.ofSeconds(10)).generate(PROMPT, TRACE)).isEqualTo("Sets are collections.");

        assertThat(chat.requests.element()).contains("\"model\":\"small\"", "Sets", "language 'en'");
        assertThat(chat.authorizations).containsExactly("Bearer secret");
        assertThat(chat.traces).containsExactly(TRACE);
    }

    @Test
    void retriesTransientFailures() throws Exception {
        chat.next.addAll(List.of(
                Answer.status(500),
                Answer.body("<html>"),
                Answer.body("{\"choices\":[]}"),
                Answer.body("{\"choices\":{\"no\":1}}"),
                Answer.tooMany("0")));

        assertThat(generator(5, Duration.ofSeconds(10)).generate(PROMPT, TRACE)).isEqualTo("a text");
        assertThat(chat.requests).hasSize(6);
    }

    @Test
    void givesUpAfterMaxAttempts() {
        chat.next.addAll(List.of(Answer.status(503), Answer.status(503)));

        assertThatThrownBy(() -> generator(1, Duration.ofSeconds(10)).generate(PROMPT, TRACE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("the endpoint answered 503");
        assertThat(chat.requests).hasSize(2);
    }

    @Test
    void leavesLongRetryAfterToTheQueue() {
        chat.next.add(Answer.tooMany("120"));

        assertThatThrownBy(() -> generator(5, Duration.ofSeconds(10)).generate(PROMPT, TRACE))
                .isInstanceOfSatisfying(
                        RetryAfterException.class,
                        later -> assertThat(later.delay()).isEqualTo(Duration.ofSeconds(120)));
        assertThat(chat.requests).hasSize(1);
    }

    @Test
    void doesNotRetryPermanentFailures() {
        chat.next.add(Answer.status(401));

        assertThatThrownBy(() -> generator(5, Duration.ofSeconds(10)).generate(PROMPT, TRACE))
                .isInstanceOf(FailForGoodException.class)
                .hasMessageStartingWith("the endpoint answered 401");
        assertThat(chat.requests).hasSize(1);
    }

    @Test
    void waitsForASlowAnswerForItsTimeoutOnly() throws Exception {
        chat.next.add(Answer.silence());

        assertThat(generator(1, Duration.ofMillis(300)).generate(PROMPT, TRACE)).isEqualTo("a text");
        assertThat(chat.requests).hasSize(2);
    }

    @Test
    void rejectsAHugeAnswer() {
        chat.next.add(Answer.text("x".repeat(2_000_000)));

        assertThatThrownBy(() -> generator(5, Duration.ofSeconds(10)).generate(PROMPT, TRACE))
                .isInstanceOf(FailForGoodException.class)
                .hasMessage("the endpoint's answer is longer than 1048576 bytes");
    }

    @Test
    void respectsItsRateLimit() throws Exception {
        ContentGenerator generator = new ChatGenerator(settings(0, Duration.ofSeconds(10), 600));
        long begin = System.nanoTime();

        for (int i = 0; i < 4; i++) {
            generator.generate(PROMPT, TRACE);
        }

        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    private ContentGenerator generator(int retries, Duration timeout) {
        return new ChatGenerator(settings(retries, timeout, 0));
    }

    private ChatGenerator.Settings settings(int retries, Duration timeout, int perMinute) {
        return new ChatGenerator.Settings(
                chat.address(),
                "secret",
                "small",
                perMinute,
                timeout,
                retries,
                Duration.ofMillis(1),
                Duration.ofSeconds(1));
    }
}
