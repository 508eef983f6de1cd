package io.orth.admin.queuealert;

import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports.Activity;
import io.orth.admin.queue.QueueReports.Figures;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** What has to be so for a rule to hold. */
public sealed interface AlertCondition {

    /** How far back figures go for those who do not look back. */
    Duration USUAL_TIME = Duration.ofMinutes(5);

    AlertKind kind();

    /** How far back the figures have to go that it is held against. */
    default Duration time() {
        return USUAL_TIME;
    }

    /** What was found, in words, where it holds. */
    Optional<String> check(Queue queue, Figures figures, Instant now);

    /**
     * Holds where one of the two is reached. Messages that are to be begun later are no backlog as long as none is due.
     *
     * @param waiting how many messages; null for any number
     * @param oldest for how long one has been due; null for however long
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
     * Attempts that ended in some time.
     *
     * @param ratio of them that failed, above 0 and up to 1
     * @param minEnded with fewer it says nothing
     * @param over how far back it looks
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

    /** Nobody is missed in a queue that is paused. */
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
