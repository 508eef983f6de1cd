package io.orth.admin.queue;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.queue.QueueDriver.Claim;
import io.orth.admin.queue.QueueDriver.Turn;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Entry point of executors that report results and claim messages. A claim that finds none waits here, first come, first served, until the
 * queue is signalled, a delayed message becomes due or its deadline passes.
 */
@Component
public final class WorkDesk implements Duty {

    private static final Logger log = LoggerFactory.getLogger(WorkDesk.class);
    private static final int MOST_SLOTS = 1_000;
    private static final int MOST_RESULTS = 10_000;
    private static final int MOST_CHILDREN = 20_000;
    private static final int MOST_STRANDS = 16;
    private static final int LONGEST_CLAIM = 64;

    /** Below the 30 s after which the web server times out a request. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(25);

    /** Interval of further attempts while due messages cannot be claimed, because of limits or faster workers. */
    private static final Duration LOOK_AGAIN = Duration.ofMillis(50);

    private final Queues queues;
    private final QueueDriver driver;
    private final QueueMetrics metrics;
    private final GuestService guests;
    private final QueueSignals signals;
    private final Clock clock;

    WorkDesk(
            Queues queues,
            QueueDriver driver,
            QueueMetrics metrics,
            GuestService guests,
            QueueSignals signals,
            Clock clock) {
        this.queues = queues;
        this.driver = driver;
        this.metrics = metrics;
        this.guests = guests;
        this.signals = signals;
        this.clock = clock;
    }

    /**
     * Records results of an executor of this group and, if it {@code takesWork}, claims messages. Results are recorded when this returns.
     */
    public CompletableFuture<WorkReply> work(int group, long executor, boolean takesWork, WorkRequest request) {
        check(request);
        queues.openFor(request.queue(), group);
        Claim claim = new Claim(
                executor,
                request.strand(),
                request.claim(),
                request.turn(),
                request.received(),
                takesWork ? Math.min(request.slots(), MOST_SLOTS) : 0,
                request.held());
        if (!takesWork && request.slots() > 0) {
            return CompletableFuture.completedFuture(
                    new WorkReply(work(request, claim).refused(), driver.given(request.queue(), claim)));
        }
        long seen = guests.room().signals(request.queue());
        Turn turn = work(request, claim);
        if (claim.slots() == 0 || !turn.messages().isEmpty() || request.waitMillis() == 0) {
            return CompletableFuture.completedFuture(new WorkReply(turn.refused(), turn.messages()));
        }
        Duration patience = Duration.ofMillis(request.waitMillis());
        Instant deadline = clock.instant().plus(patience.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : patience);
        return guests.await(request.queue(), claim, deadline, seen)
                .thenApply(messages -> new WorkReply(turn.refused(), messages));
    }

    private Turn work(WorkRequest request, Claim claim) {
        Turn turn = driver.work(request.queue(), request.results(), claim);
        metrics.refused(request.queue(), turn.refused().size());
        if (turn.opens()) {
            signals.pushed(request.queue());
        }
        return turn;
    }

    private static void check(WorkRequest request) {
        between("slots", request.slots(), 0, Integer.MAX_VALUE);
        between("held", request.held(), 0, Integer.MAX_VALUE);
        between("strand", request.strand(), 0, MOST_STRANDS - 1);
        between("results", request.results().size(), 0, MOST_RESULTS);
        int children = request.results().stream()
                .filter(result -> result.task() != null)
                .mapToInt(result -> result.task().children().size())
                .sum();
        if (children > MOST_CHILDREN && request.results().size() > 1) {
            throw OrthException.invalid("results", "must have at most %d children in all".formatted(MOST_CHILDREN));
        }
        PlainText.limit("claim", request.claim(), LONGEST_CLAIM);
        if (request.waitMillis() < 0) {
            throw OrthException.invalid("waitMillis", "must not be negative");
        }
        if (request.turn() < 0) {
            throw OrthException.invalid("turn", "must not be negative");
        }
        if (request.received() < 0 || request.received() > request.turn()) {
            throw OrthException.invalid("received", "must be between 0 and turn");
        }
    }

    private static void between(String field, int value, int least, int most) {
        if (value < least || value > most) {
            throw OrthException.invalid(field, "must be between %d and %d".formatted(least, most));
        }
    }

    /** Ends expired polls, and looks for messages that have become due or whose signal was lost. */
    @Override
    public Pass run() {
        Instant now = clock.instant();
        guests.dismiss(now);
        Instant next = guests.room()
                .firstDeadline()
                .map(deadline -> deadline.isAfter(now) ? deadline : now.plus(LOOK_AGAIN))
                .orElse(null);
        for (Map.Entry<String, Instant> each : nextDue(guests.room().queues()).entrySet()) {
            Instant due = each.getValue();
            if (!due.isAfter(now)) {
                guests.wake(each.getKey());
                due = now.plus(LOOK_AGAIN);
            }
            if (next == null || due.isBefore(next)) {
                next = due;
            }
        }
        return next == null ? Pass.DRAINED : Pass.nextAt(next);
    }

    /** Returns when the next message of each queue may start. A queue whose due times cannot be read does not affect the others. */
    private Map<String, Instant> nextDue(Set<String> wanted) {
        Map<String, Instant> next = new HashMap<>();
        Map<String, RuntimeException> failed = new HashMap<>();
        if (!wanted.isEmpty()) {
            Splitter.run(List.copyOf(wanted), some -> next.putAll(driver.nextDue(some)), failed::put);
        }
        if (!failed.isEmpty()) {
            RuntimeException problem = failed.values().iterator().next();
            if (failed.size() == wanted.size()) {
                throw problem;
            }
            log.atWarn()
                    .setCause(problem)
                    .addKeyValue("queues", failed.size())
                    .log("the due times of queues could not be read");
        }
        return next;
    }

    /** Fails the polls, so that their executors poll another node. */
    @Override
    public void ended() {
        guests.room().close(OrthException.of(ErrorCode.UNAVAILABLE, "this admin is stopping"));
    }
}
