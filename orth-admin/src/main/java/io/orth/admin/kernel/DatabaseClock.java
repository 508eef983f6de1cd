package io.orth.admin.kernel;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessResourceFailureException;

/**
 * The database's time, read without asking it each time: a sampled instant plus the monotonic clock since. Every node
 * sees the same time within the sample's round trip, whatever its own wall clock says.
 */
public final class DatabaseClock extends Clock implements Duty {

    private static final String NOW = "select clock_timestamp()";

    private static final Duration SLOWEST = Duration.ofMillis(500);

    private final DataSource database;
    private final Ticker ticker;
    private volatile Sample sample;

    /** What the database's clock showed when the ticker stood at {@code nanos}. */
    private record Sample(Instant instant, long nanos) {}

    private record Reading(Sample sample, Duration roundTrip) {}

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
            sample = reading.sample();
        }
        return Pass.DRAINED;
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
