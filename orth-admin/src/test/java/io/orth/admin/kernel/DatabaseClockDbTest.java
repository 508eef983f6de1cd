package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.Duty.Pass;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

class DatabaseClockDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final ManualClock ticking = ManualClock.at("2030-01-01T12:00:00Z");
    private Duration roundTrip = Duration.ZERO;

    @Test
    void itIsTheDatabasesTime() {
        Instant before = databaseTime();

        Instant sampled = clock().instant();

        assertThat(sampled).isBetween(before, databaseTime());
    }

    @Test
    void betweenSamplesOnlyTheTickerMovesIt() {
        DatabaseClock clock = clock();
        Instant start = clock.instant();
        assertThat(clock.instant()).isEqualTo(start);

        ticking.advance(Duration.ofMillis(1_234));

        assertThat(clock.instant()).isEqualTo(start.plusMillis(1_234));
    }

    @Test
    void aSampleBringsItBackToTheDatabasesTime() {
        DatabaseClock clock = clock();
        ticking.advance(Duration.ofHours(1));
        Instant before = databaseTime();

        assertThat(clock.run()).isEqualTo(Pass.DRAINED);

        assertThat(clock.instant()).isBetween(before, databaseTime());
    }

    @Test
    void aSampleStandsForTheMiddleOfItsRoundTrip() {
        roundTrip = Duration.ofMillis(400);
        Instant before = databaseTime();

        Instant now = clock().instant();

        assertThat(now).isBetween(before.plusMillis(200), databaseTime().plusMillis(200));
    }

    @Test
    void anAnswerThatTookLongChangesNothing() {
        DatabaseClock clock = clock();
        Instant start = clock.instant();
        ticking.advance(Duration.ofHours(1));

        roundTrip = Duration.ofMillis(501);
        clock.run();

        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofHours(1)).plusMillis(501));
    }

    @Test
    void withoutTheDatabaseItGoesOnAndTheSampleFails() {
        HikariDataSource database = (HikariDataSource) db.dataSource();
        DatabaseClock clock = new DatabaseClock(database, this::tick);
        Instant start = clock.instant();
        database.close();
        ticking.advance(Duration.ofSeconds(1));

        assertThatThrownBy(clock::run)
                .isInstanceOf(DataAccessResourceFailureException.class)
                .hasMessage("the database did not tell the time");
        assertThat(clock.instant()).isEqualTo(start.plusSeconds(1));
        assertThatThrownBy(() -> new DatabaseClock(database, this::tick))
                .isInstanceOf(DataAccessResourceFailureException.class);
    }

    @Test
    void itHasNoZoneButUtc() {
        DatabaseClock clock = clock();

        assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
        assertThatThrownBy(() -> clock.withZone(ZoneId.of("Europe/Berlin")))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    private DatabaseClock clock() {
        return new DatabaseClock(db.dataSource(), this::tick);
    }

    /** Stands still, except that the next statement, which begins after a look, takes the round trip. */
    private long tick() {
        long now = ticking.ticker().getAsLong();
        ticking.advance(roundTrip);
        roundTrip = Duration.ZERO;
        return now;
    }

    private Instant databaseTime() {
        return JdbcClient.create(db.dataSource())
                .sql("select clock_timestamp()")
                .query((row, number) -> row.getTimestamp(1).toInstant())
                .single();
    }
}
