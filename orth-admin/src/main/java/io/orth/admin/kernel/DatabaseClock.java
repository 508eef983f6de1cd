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
 * The database's time, read without asking it each time: a sampled instant plus the monotonic clock since. Every node
 * sees the same time within the sample's round trip, whatever its own wall clock says.
 */
@Component
public final class DatabaseClock extends Clock implements Duty {

    private static final String NOW = "select clock_timestamp()";

    private static final Duration SLOWEST = Duration.ofMillis(500);

    /** Samples differ by part of their round trip, and a clock that is set right in small steps may go back a little. */
    private static final Duration TOLERANCE = Duration.ofSeconds(1);

    private final DataSource database;
    private final Ticker ticker;
    private volatile Sample sample;
    private volatile Step step;

    /** What the database's clock showed when the ticker stood at {@code nanos}. */
    private record Sample(Instant instant, long nanos) {}

    private record Reading(Sample sample, Duration roundTrip) {}

    /** It went back by so much, from {@code reached}. */
    private record Step(Duration by, Instant reached) {}

    /**
     * The database's clock went back.
     *
     * @param by how far
     * @param left how long it takes until it has caught up
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

    /** Samples again; an answer that took long says little about the time, so the sample before it stays. */
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
     * That the database's clock went back, until it has caught up with the latest time it showed before. Meanwhile ids, leases and
     * due times of that later time are ahead of it.
     */
    public Optional<Setback> setback() {
        Step last = step;
        if (last == null) {
            return Optional.empty();
        }
        Duration left = Duration.between(instant(), last.reached());
        return left.isNegative() || left.isZero() ? Optional.empty() : Optional.of(new Setback(last.by(), left));
    }

    /** Times the statement alone: waiting for a connection is no part of the round trip. */
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
