package io.orth.executor.internal.transport;

import io.orth.runtime.DoublingDelay;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Sends items to the admins in batches: results of runs, results of messages, content and steps of tasks, declared jobs. A
 * rejected batch is halved until the bad items are isolated, so that the others get through. If several single items are rejected
 * before anything is accepted, the admin rejects everything, and the sender stops.
 */
public final class BatchSender<T> {

    /** Sends one batch. */
    @FunctionalInterface
    public interface Post<T> {
        Outcome post(List<T> items) throws InterruptedException;
    }

    /**
     * The outcome of a batch.
     *
     * @param outcome unreachable if no admin was reached, else refused if an item was rejected, else accepted
     * @param refused items that were rejected when sent alone
     * @param untried items that were not sent, or only together with others
     */
    public record Delivery<T>(Outcome outcome, List<T> delivered, List<T> refused, List<T> untried) {

        public boolean isComplete() {
            return refused.isEmpty() && untried.isEmpty();
        }
    }

    private static final int MAX_REQUESTS = 200;
    private static final int HOPELESS_AFTER = 4;

    private final Post<T> post;
    private final DoublingDelay backoff;

    /** Creates a sender that waits for 200 ms after a first failure, and up to 5 s after further ones. */
    public BatchSender(Post<T> post) {
        this(post, new DoublingDelay(Duration.ofMillis(200), Duration.ofSeconds(5)));
    }

    public BatchSender(Post<T> post, DoublingDelay backoff) {
        this.post = post;
        this.backoff = backoff;
    }

    public Delivery<T> send(List<T> items) throws InterruptedException {
        Round round = new Round();
        round.send(items);
        return new Delivery<>(round.outcome, round.delivered, round.refused, round.untried);
    }

    /** Returns the delay before the next batch, which grows while nothing gets through. */
    public Duration restAfter(Delivery<T> delivery) {
        if (delivery.delivered().isEmpty()) {
            return backoff.next();
        }
        backoff.reset();
        return delivery.outcome() instanceof Outcome.Unreachable ? backoff.next() : Duration.ZERO;
    }

    private final class Round {

        private final List<T> delivered = new ArrayList<>();
        private final List<T> refused = new ArrayList<>();
        private final List<T> untried = new ArrayList<>();
        private Outcome outcome;
        private int requests;
        private boolean over;

        void send(List<T> items) throws InterruptedException {
            over |= requests++ >= MAX_REQUESTS;
            if (over) {
                untried.addAll(items);
                return;
            }
            Outcome answer = post.post(items);
            if (answer instanceof Outcome.Accepted) {
                outcome = outcome == null ? answer : outcome;
                delivered.addAll(items);
            } else if (answer instanceof Outcome.Refused) {
                outcome = answer;
                refused(items);
            } else {
                outcome = answer;
                over = true;
                untried.addAll(items);
            }
        }

        private void refused(List<T> items) throws InterruptedException {
            if (items.size() == 1) {
                refused.addAll(items);
                over |= delivered.isEmpty() && refused.size() >= HOPELESS_AFTER;
                return;
            }
            int middle = items.size() / 2;
            send(items.subList(0, middle));
            send(items.subList(middle, items.size()));
        }
    }
}
