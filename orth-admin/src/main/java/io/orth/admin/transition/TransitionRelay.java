package io.orth.admin.transition;

import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.StandingLease;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Assigns positions to batches, on one node of the cluster at a time, and deletes batches that every sink has accepted. While this node
 * holds the lease, each sink is fed by a {@link SinkFeeder} on its own thread.
 */
final class TransitionRelay implements Duty {

    private static final Logger log = LoggerFactory.getLogger(TransitionRelay.class);

    private static final int BATCH = 1_000;

    /** How long a sink may fail, or accept nothing that is available, before it counts as stuck. */
    private static final Duration STUCK_AFTER = Duration.ofMinutes(1);

    /** How long a sink may process one delivery before it counts as hanging. */
    private static final Duration LONGEST_EMIT = Duration.ofMinutes(10);

    private final StandingLease lease;
    private final JournalRepository journal;
    private final SinkRepository sinks;
    private final List<SinkFeeder> feeders;
    private final List<String> names;
    private final Runnable wakeFeeders;
    private final BooleanSupplier paused;
    private final Transactions transactions;
    private final Clock clock;
    private final RelayProperties properties;
    private final TransitionMetrics metrics;
    private final SystemLog systemLog;
    /** Accessed by the loop's thread only. */
    private long knownTerm;

    private Instant tidyAt = Instant.MIN;
    /** Time since which this node has been able to feed the sinks without interruption. */
    private Instant feedingSince = Instant.MAX;

    /** @param paused whether the installation is paused: then no feeder runs, and nothing is deleted */
    TransitionRelay(
            StandingLease lease,
            JournalRepository journal,
            SinkRepository sinks,
            List<SinkFeeder> feeders,
            Runnable wakeFeeders,
            BooleanSupplier paused,
            Transactions transactions,
            Clock clock,
            RelayProperties properties,
            TransitionMetrics metrics,
            SystemLog systemLog) {
        this.lease = lease;
        this.journal = journal;
        this.sinks = sinks;
        this.feeders = List.copyOf(feeders);
        this.names = feeders.stream().map(SinkFeeder::name).toList();
        this.wakeFeeders = wakeFeeders;
        this.paused = paused;
        this.transactions = transactions;
        this.clock = clock;
        this.properties = properties;
        this.metrics = metrics;
        this.systemLog = systemLog;
    }

    @Override
    public Pass run() {
        OptionalLong held = lease.keep();
        if (held.isEmpty()) {
            return Pass.DRAINED;
        }
        long term = held.getAsLong();
        if (term != knownTerm) {
            takeOver(term);
        }
        int given = journal.anyFresh() ? givePositions(term) : 0;
        if (paused.getAsBoolean()) {
            feedingSince = clock.instant();
        } else if (!clock.instant().isBefore(tidyAt)) {
            boolean more = tidyUp(term);
            tidyAt = more ? Instant.MIN : clock.instant().plus(properties.tidyEvery());
        }
        return given == BATCH ? Pass.MORE : Pass.nextAt(clock.instant().plus(properties.lookEvery()));
    }

    @Override
    public void ended() {
        lease.release();
    }

    /** Enters new sinks before any further position is assigned, so they start at the current head. */
    private void takeOver(long term) {
        FaultPoints.reach(FaultPoints.RELAY_AFTER_TAKEOVER);
        ifOurs(term, false, () -> {
            sinks.enter(names);
            return true;
        });
        knownTerm = term;
        feedingSince = clock.instant();
        tidyAt = Instant.MIN;
        wakeFeeders.run();
        log.atInfo().addKeyValue("term", term).addKeyValue("sinks", names).log("relays transitions");
    }

    private int givePositions(long term) {
        int given = ifOurs(term, 0, () -> journal.givePositions(BATCH));
        if (given > 0) {
            wakeFeeders.run();
        }
        return given;
    }

    /** Drops and prunes a limited amount, because positions cannot be assigned meanwhile. Returns whether more remains. */
    private boolean tidyUp(long term) {
        boolean gaveUp = false;
        for (SinkState sink : sinks.list()) {
            gaveUp |= ifOurs(term, false, () -> giveUp(sink.name()));
        }
        int pruned = ifOurs(term, 0, () -> {
            sinks.enter(names);
            sinks.prune(properties.holdAge(), names)
                    .forEach(name -> log.atInfo().addKeyValue("sink", name).log("forgets a sink that is used no more"));
            long taken =
                    sinks.list().stream().mapToLong(SinkState::position).min().orElseGet(journal::head);
            return journal.prune(taken, properties.replay(), properties.pruneBatch());
        });
        return gaveUp || pruned == properties.pruneBatch();
    }

    /** Skips and counts transitions that a stuck sink did not accept within the limits; returns whether there were any. */
    private boolean giveUp(String name) {
        SinkState sink = sinks.lock(name);
        Optional<Long> last = journal.outOfBounds(
                sink.position(), properties.holdAge(), properties.holdChanges(), properties.pruneBatch());
        if (last.isEmpty() || !isStuck(sink)) {
            return false;
        }
        long dropped = journal.changes(sink.position(), last.get());
        sinks.skip(name, last.get(), dropped);
        Transactions.afterCommit(() -> {
            metrics.dropped(name, dropped);
            log.atWarn()
                    .addKeyValue("sink", name)
                    .addKeyValue("dropped", dropped)
                    .addKeyValue("error", sink.lastError())
                    .log("dropped transitions that a stuck sink did not take");
            systemLog.error("%d transitions were dropped for sink %s: %s"
                    .formatted(dropped, name, sink.lastError() == null ? "it hangs" : sink.lastError()));
        });
        return true;
    }

    /**
     * Returns whether a sink has failed or hung for {@link #STUCK_AFTER}: it accepted nothing although transitions were available and
     * this node could feed it. Nothing is dropped for a sink that is only slower than the cluster or that has recovered. While the sink
     * processes a delivery, its state at the start of that delivery counts, because the delivery may still succeed.
     */
    private boolean isStuck(SinkState sink) {
        Optional<Instant> somethingSince =
                Optional.ofNullable(sink.parkedSince()).or(() -> journal.oldestAfter(sink.position()));
        Instant nothingTakenSince = Stream.of(
                        Optional.of(feedingSince), Optional.ofNullable(sink.emittedAt()), somethingSince)
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElseThrow();
        Instant now = clock.instant();
        Instant judgedAt = feeders.stream()
                .filter(feeder -> feeder.name().equals(sink.name()))
                .findFirst()
                .flatMap(SinkFeeder::emittingSince)
                .filter(begun -> begun.plus(LONGEST_EMIT).isAfter(now))
                .orElse(now);
        return nothingTakenSince.plus(STUCK_AFTER).isBefore(judgedAt);
    }

    private <T> T ifOurs(long term, T otherwise, Supplier<T> work) {
        return transactions.call(() -> lease.confirm(term) ? work.get() : otherwise);
    }
}
