package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.runtime.Duty.Pass;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.postgresql.ds.PGSimpleDataSource;
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
    void sampleTimeIsTheMiddleOfTheRoundTrip() {
        roundTrip = Duration.ofMillis(400);
        Instant before = databaseTime();

        Instant now = clock().instant();

        assertThat(now).isBetween(before.plusMillis(200), databaseTime().plusMillis(200));
    }

    @Test
    void ignoresSlowSample() {
        DatabaseClock clock = clock();
        Instant start = clock.instant();
        ticking.advance(Duration.ofHours(1));

        roundTrip = Duration.ofMillis(501);
        clock.run();

        assertThat(clock.instant()).isEqualTo(start.plus(Duration.ofHours(1)).plusMillis(501));
    }

    @Test
    void keepsRunningWithoutDatabaseWhileSampleFails() {
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
    @Tag("must-first")
    void aClockThatWentBackIsNamedUntilItHasCaughtUp() {
        DatabaseClock clock = new DatabaseClock(shiftedDatabase(), this::tick);
        assertThat(clock.setback()).isEmpty();

        shift(Duration.ofMinutes(-1));
        clock.run();
        assertThat(clock.setback()).hasValueSatisfying(setback -> {
            assertThat(setback.by()).isBetween(Duration.ofSeconds(30), Duration.ofMinutes(1));
            assertThat(setback.left()).isEqualTo(setback.by());
        });

        ticking.advance(Duration.ofSeconds(29));
        assertThat(clock.setback()).isPresent();
        ticking.advance(Duration.ofSeconds(31));
        assertThat(clock.setback()).isEmpty();
    }

    @Test
    void goingBackOnceMoreAddsToIt() {
        DatabaseClock clock = new DatabaseClock(shiftedDatabase(), this::tick);
        shift(Duration.ofHours(-1));
        clock.run();
        shift(Duration.ofHours(-2));
        clock.run();

        assertThat(clock.setback())
                .hasValueSatisfying(
                        setback -> assertThat(setback.by()).isBetween(Duration.ofMinutes(119), Duration.ofHours(2)));
    }

    @Test
    void aClockThatGoesForwardOrBackALittleIsNot() {
        DatabaseClock clock = new DatabaseClock(shiftedDatabase(), this::tick);
        shift(Duration.ofHours(1));
        clock.run();
        assertThat(clock.setback()).isEmpty();

        // The ticker stands still, so that the database's time can only be found later than expected.
        shift(Duration.ofHours(1).minusMillis(900));
        clock.run();
        assertThat(clock.setback()).isEmpty();
    }

    /** The same database, whose clock is as far from the true one as a test says. */
    private DataSource shiftedDatabase() {
        jdbc().sql("create schema shifted").update();
        jdbc().sql("create table shifted.clock (shift interval not null)").update();
        jdbc().sql("insert into shifted.clock values ('0')").update();
        jdbc().sql("""
                        create function shifted.clock_timestamp() returns timestamptz language sql as
                        'select pg_catalog.clock_timestamp() + shift from shifted.clock'
                        """).update();
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(db.url());
        database.setUser(db.user());
        database.setPassword(db.password());
        database.setOptions("-c search_path=shifted,pg_catalog");
        return database;
    }

    private void shift(Duration by) {
        jdbc().sql("update shifted.clock set shift = :secs * interval '1 second'")
                .param("secs", by.toMillis() / 1000.0)
                .update();
    }

    private JdbcClient jdbc() {
        return JdbcClient.create(db.dataSource());
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

    /** Stands still, except that the next statement, which starts after a read, takes the round trip. */
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
