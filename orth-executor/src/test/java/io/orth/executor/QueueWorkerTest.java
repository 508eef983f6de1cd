package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("must-queues")
class QueueWorkerTest {

    private static final JobHandler NOTHING = context -> RunResult.success();

    @Test
    void defaultsToOneMessageAtATimeWithoutTimeout() {
        QueueWorker plain = QueueWorker.of("emails", NOTHING);
        QueueWorker changed = plain.concurrency(8).timeout(Duration.ofMillis(500));

        assertThat(plain.queue()).isEqualTo("emails");
        assertThat(plain.concurrency()).isEqualTo(1);
        assertThat(plain.timeout()).isZero();
        assertThat(changed.concurrency()).isEqualTo(8);
        assertThat(changed.timeout()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a b", "a/b", "ä", "a\n", "${x}"})
    void rejectsNamesThatQueuesCannotHave(String name) {
        assertThatThrownBy(() -> QueueWorker.of(name, NOTHING))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("must be 1 to 100 letters, digits and . _ - :, got '%s'", name);
    }

    @Test
    void takesNamesOfUpToAHundredCharacters() {
        assertThat(QueueWorker.of("A-z_0.9:" + "x".repeat(92), NOTHING).queue()).hasSize(100);
        assertThatThrownBy(() -> QueueWorker.of("x".repeat(101), NOTHING)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> QueueWorker.of(null, NOTHING)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsInvalidSettings() {
        QueueWorker worker = QueueWorker.of("emails", NOTHING);

        assertThatThrownBy(() -> worker.concurrency(0))
                .hasMessage("the worker of the queue 'emails': concurrency must be between 1 and 10000, got 0");
        assertThatThrownBy(() -> worker.concurrency(10_001)).hasMessageContaining("got 10001");
        assertThatThrownBy(() -> worker.timeout(Duration.ofMillis(-1))).hasMessageContaining("timeout must be");
        assertThatThrownBy(() -> worker.timeout(Duration.ofDays(31))).hasMessageContaining("timeout must be");
    }

    @Test
    void aQueueHasOneWorker() {
        HandlerRegistry.Builder handlers = HandlerRegistry.builder().addQueue(QueueWorker.of("emails", NOTHING));

        assertThatThrownBy(() -> handlers.addMethodsOf(new Workers()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("two workers are for the queue 'emails': the worker of the queue 'emails' and"
                        + " @OrthQueue on " + Workers.class.getName() + ".send()");
    }

    @Test
    void aHandlerIsSharedByItsName() {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addQueue(QueueWorker.of("emails", "send"))
                .add("send", NOTHING)
                .build();

        assertThat(handlers.findQueue("emails")).containsSame(NOTHING);
        assertThatThrownBy(() -> HandlerRegistry.builder()
                        .addQueue(QueueWorker.of("emails", "sent"))
                        .add("send", NOTHING)
                        .build())
                .hasMessage("the worker of the queue 'emails': there is no handler 'sent', only [send]");
    }

    static class Workers {
        @OrthQueue(value = "emails", concurrency = 8, timeout = "30s")
        RunResult send(Letter letter) {
            return RunResult.success(letter.to());
        }

        record Letter(String to) {}
    }

    static class Both {
        @OrthJob("job")
        void job() {}

        @OrthQueue(value = "queue", timeout = "-")
        void queue() {}
    }

    @Test
    void methodsAreWorkers() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addMethodsOf(new Workers())
                .addMethodsOf(new Both())
                .build();
        OrthJobContext letter = new OrthJobContext(0, "{\"to\": \"ann\"}", 1, null, null, 0, 1, null);

        assertThat(handlers.queues()).containsExactlyInAnyOrder("emails", "queue");
        assertThat(handlers.names()).containsExactly("job");
        assertThat(handlers.findQueue("emails").orElseThrow().execute(letter)).isEqualTo(RunResult.success("ann"));
        assertThat(handlers.messageQueues())
                .filteredOn(queue -> queue.name().equals("emails"))
                .singleElement()
                .satisfies(queue -> {
                    assertThat(queue.concurrency()).isEqualTo(8);
                    assertThat(queue.timeout()).isEqualTo(Duration.ofSeconds(30));
                });
    }

    static class Deciders {
        @OrthQueue(value = "emails", retryDelay = "linear")
        void send() {}

        @OrthJob(value = "report", retryDelay = "byError")
        void report() {}

        @OrthJob("plain")
        void plain() {}

        Duration linear(int attempt) {
            return Duration.ofSeconds(attempt);
        }

        static Duration byError(int attempt, Throwable error) throws Exception {
            if (error instanceof Exception problem) {
                throw problem;
            }
            return error == null ? null : Duration.ofMinutes(attempt);
        }
    }

    @Test
    @Tag("must-kernel")
    void annotatedRetryDelayMethodIsUsed() throws Exception {
        HandlerRegistry handlers =
                HandlerRegistry.builder().addMethodsOf(new Deciders()).build();
        JobHandler report = handlers.find("report").orElseThrow();

        assertThat(handlers.findQueue("emails").orElseThrow().retryDelay(3, null))
                .isEqualTo(Duration.ofSeconds(3));
        assertThat(report.retryDelay(2, new Error("x"))).isEqualTo(Duration.ofMinutes(2));
        assertThat(report.retryDelay(2, null)).isNull();
        assertThatThrownBy(() -> report.retryDelay(1, new IllegalStateException("mine")))
                .hasMessage("mine");
        assertThat(handlers.find("plain").orElseThrow().retryDelay(1, null)).isNull();
    }

    @Test
    @Tag("must-kernel")
    void workerRetryDelayOverridesHandlers() throws Exception {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add("send", NOTHING)
                .addQueue(QueueWorker.of("emails", "send").retryDelay((attempt, error) -> Duration.ofDays(attempt)))
                .build();

        assertThat(handlers.findQueue("emails")).containsSame(NOTHING);
        assertThat(handlers.messageQueues().iterator().next().retryDelay().after(2, null))
                .isEqualTo(Duration.ofDays(2));
        assertThatThrownBy(() -> QueueWorker.of("emails", NOTHING).retryDelay(null))
                .hasMessage("retryDelay");
    }

    static class DelayMissing {
        @OrthQueue(value = "emails", retryDelay = "linear")
        void send() {}
    }

    static class DelayOfSomethingElse {
        @OrthJob(value = "report", retryDelay = "linear")
        void report() {}

        long linear(int attempt) {
            return attempt;
        }
    }

    static class DelayOfTooLittle {
        @OrthJob(value = "report", retryDelay = "linear")
        void report() {}

        Duration linear() {
            return Duration.ZERO;
        }
    }

    @Test
    @Tag("must-kernel")
    void rejectsMissingRetryDelayMethodAtStart() {
        String missing =
                ": retryDelay names 'linear', but %s has no method Duration linear(int) or Duration linear(int, Throwable)";
        assertRejected(new DelayMissing(), "@OrthQueue on %1$s.send()" + missing.replace("%s", "%1$s"));
        assertRejected(new DelayOfSomethingElse(), "@OrthJob on %1$s.report()" + missing.replace("%s", "%1$s"));
        assertRejected(new DelayOfTooLittle(), "@OrthJob on %1$s.report()" + missing.replace("%s", "%1$s"));
    }

    static class WrongShape {
        @OrthQueue("emails")
        int count() {
            return 1;
        }
    }

    static class WrongArgument {
        @OrthQueue("emails")
        void count(int number) {}
    }

    static class WrongTimeout {
        @OrthQueue(value = "emails", timeout = "soon")
        void send() {}
    }

    @Test
    void rejectsInvalidWorkerMethodsByName() {
        assertRejected(new WrongShape(), "@OrthQueue method %s.count() must return nothing or a RunResult");
        assertRejected(new WrongArgument(), "@OrthQueue method %s.count() must take nothing, a String");
        assertRejected(new WrongTimeout(), "@OrthQueue on %s.send(): timeout 'soon' is no duration");
    }

    private static void assertRejected(Object workers, String complaint) {
        assertThatThrownBy(() -> HandlerRegistry.builder().addMethodsOf(workers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint.formatted(workers.getClass().getName()));
    }
}
