package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.stereotype.Component;

/**
 * The database's time, computed from a sampled instant plus the monotonic time since, without a query for each read. All nodes agree to
 * within the sample's round trip, independent of their own wall clocks.
 */
@Component
public final class DatabaseClock extends Clock implements Duty {

    private static final String NOW = "select clock_timestamp()";

    private static final Duration SLOWEST = Duration.ofMillis(500);

    /** Samples differ by part of their round trip, and a clock adjusted in small steps may move back slightly. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final DataSource database;
    private final Ticker ticker;
    private volatile Sample sample;
    private volatile Step step;

    /** The database time at the ticker value {@code nanos}. */
    private record Sample(Instant instant, long nanos) {}

    private record Reading(Sample sample, Duration roundTrip) {}

    /** A backward step by {@code by} from {@code reached}. */
    private record Step(Duration by, Instant reached) {}

    /**
     * A backward step of the database's clock.
     *
     * @param by size of the step
     * @param left time until the clock has caught up
     */
    public record Setback(Duration by, Duration left) {}

    /** Takes the first sample, so the database must be reachable. */
    public DatabaseClock(DataSource database, Ticker ticker) {
        this.database = database;
        this.ticker = ticker;
        this.sample = take().sample();
    }

    @Override
    public Instant instant() {
        Sample last = sample;
        return last.instant().plusNanos(ticker.nanos() - last.nanos());
    }

    /** Takes a new sample. A sample with a round trip of more than 500 ms is discarded as too inaccurate. */
    @Override
    public Pass run() {
        Reading reading = take();
        if (reading.roundTrip().compareTo(SLOWEST) <= 0) {
            noteStep(reading.sample());
            sample = reading.sample();
        }
        return Pass.DRAINED;
    }

    private void noteStep(Sample next) {
        Instant expected = sample.instant().plusNanos(next.nanos() - sample.nanos());
        if (Duration.between(next.instant(), expected).compareTo(TOLERANCE) > 0) {
            Instant before = setback().isPresent() ? step.reached() : expected;
            Instant reached = before.isAfter(expected) ? before : expected;
            step = new Step(Duration.between(next.instant(), reached), reached);
        }
    }

    /**
     * Returns the last backward step of the database's clock; empty once the clock has caught up with the latest time it showed before.
     * Until then, ids, leases and due times created at that later time lie in the future.
     */
    public Optional<Setback> setback() {
        Step last = step;
        if (last == null) {
            return Optional.empty();
        }
        Duration left = Duration.between(instant(), last.reached());
        return left.isNegative() || left.isZero() ? Optional.empty() : Optional.of(new Setback(last.by(), left));
    }

    /** Measures the statement alone: waiting for a connection is not part of the round trip. */
    private Reading take() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            long before = ticker.nanos();
            try (ResultSet row = statement.executeQuery(NOW)) {
                row.next();
                Instant read = row.getTimestamp(1).toInstant();
                long after = ticker.nanos();
                return new Reading(new Sample(read, before + (after - before) / 2), Duration.ofNanos(after - before));
            }
        } catch (SQLException e) {
            throw new DataAccessResourceFailureException("the database did not tell the time", e);
        }
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("instants only: zones belong to the edge");
    }
}
