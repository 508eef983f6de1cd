package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.SilentProxy;
import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

class SignalsDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final List<String> heard = new CopyOnWriteArrayList<>();

    /** The network loses what is said, and closes nothing. */
    @Test
    @Tag("must-first")
    @Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void reconnectsAfterLostConnection() throws Exception {
        try (SilentProxy proxy = SilentProxy.to(db.url());
                HikariDataSource database = new HikariDataSource()) {
            database.setJdbcUrl(proxy.url());
            database.setUsername(db.user());
            database.setPassword(db.password());
            database.setMinimumIdle(0);
            Signals signals = new Signals(database, () -> clock.ticker().getAsLong());
            signals.on("news", heard::add);
            say("first");
            listenFor(signals, "one");

            proxy.loseConnections();
            signals.run();
            clock.advance(Duration.ofSeconds(10));

            assertThatThrownBy(signals::run).isInstanceOf(SQLException.class);
            listenFor(signals, "two");
        }
    }

    /** Notifications sent before the connection listens are not received. */
    private void listenFor(Signals signals, String signal) throws SQLException {
        signals.run();
        say(signal);
        while (!heard.contains(signal)) {
            signals.run();
        }
        assertThat(heard).endsWith(signal);
    }

    private void say(String signal) {
        JdbcClient.create(db.dataSource())
                .sql("select pg_notify('news', :signal)::text")
                .param("signal", signal)
                .query(String.class)
                .optional();
    }
}
