package io.orth.admin.queuealert;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Activity;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Condition of an alert rule. */
public sealed interface AlertCondition {

    /** Period of conditions that do not depend on the past. */
    Duration USUAL_TIME = Duration.ofMinutes(5);

    AlertKind kind();

    /** Returns the period that the checked figures cover. */
    default Duration time() {
        return USUAL_TIME;
    }

    /** Returns the finding as text; empty if the condition does not hold. */
    Optional<String> check(Queue queue, Figures figures, Instant now);

    /**
     * Holds if either limit is reached. Delayed messages count only while at least one message is due.
     *
     * @param waiting number of waiting messages; null for no limit
     * @param oldest how long a message has been due; null for no limit
     */
    record Backlog(Long waiting, Duration oldest) implements AlertCondition {

        @Override
        public AlertKind kind() {
            return AlertKind.BACKLOG;
        }

        @Override
        public Optional<String> check(Queue queue, Figures figures, Instant now) {
            Duration due = figures.dueFor(now);
            boolean many = waiting != null && figures.waiting() >= waiting && !due.isZero();
            boolean late = oldest != null && due.compareTo(oldest) >= 0;
            return many || late
                    ? Optional.of("%s, the oldest due for %s%s"
                            .formatted(
                                    AlertWords.messagesWait(figures.waiting()),
                                    AlertWords.time(due),
                                    queue.paused() ? "; the queue is paused" : ""))
                    : Optional.empty();
        }
    }

    /**
     * Holds if too many recent attempts have failed.
     *
     * @param ratio share of failed attempts, above 0 and up to 1
     * @param minEnded minimum number of attempts for the condition to hold
     * @param over length of the period
     */
    record FailureRatio(double ratio, long minEnded, Duration over) implements AlertCondition {

        @Override
        public AlertKind kind() {
            return AlertKind.FAILURE_RATIO;
        }

        @Override
        public Duration time() {
            return over;
        }

        @Override
        public Optional<String> check(Queue queue, Figures figures, Instant now) {
            Activity lately = figures.lately();
            long ended = lately.done() + lately.failed();
            return ended >= minEnded && lately.failed() >= ratio * ended
                    ? Optional.of("%d %% of %d attempts failed in the last %s"
                            .formatted(100 * lately.failed() / ended, ended, AlertWords.time(over)))
                    : Optional.empty();
        }
    }

    /** Holds if messages wait and no worker polls. Never holds in a paused queue. */
    record NoWorkers() implements AlertCondition {

        @Override
        public AlertKind kind() {
            return AlertKind.NO_WORKERS;
        }

        @Override
        public Optional<String> check(Queue queue, Figures figures, Instant now) {
            boolean missed = figures.workers() == 0
                    && figures.waiting() > 0
                    && !figures.dueFor(now).isZero();
            return missed && !queue.paused()
                    ? Optional.of(
                            "%s and no executor asks for them".formatted(AlertWords.messagesWait(figures.waiting())))
                    : Optional.empty();
        }
    }
}
