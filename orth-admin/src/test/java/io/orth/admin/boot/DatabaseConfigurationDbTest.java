package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.SilentProxy;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Nothing that a database or a network does may hold up a thread for ever. */
class DatabaseConfigurationDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    @ParameterizedTest
    @CsvSource({
        "statement_timeout, 30s",
        "lock_timeout, 10s",
        "idle_in_transaction_session_timeout, 15s",
        "plan_cache_mode, force_generic_plan",
        "enable_seqscan, off",
        "enable_bitmapscan, off",
        "jit, off",
        "search_path, orth"
    })
    void everyConnectionHasItsLimits(String setting, String limit) throws SQLException {
        try (HikariDataSource database = connectTo(db.url());
                Connection first = database.getConnection();
                Connection second = database.getConnection()) {
            assertThat(ask(first, "show " + setting)).isEqualTo(limit);
            assertThat(ask(second, "show " + setting)).isEqualTo(limit);
        }
    }

    @Test
    void limitsWaitForSilentServer() throws SQLException {
        try (HikariDataSource database = connectTo(db.url());
                Connection connection = database.getConnection()) {
            assertThat(connection.getNetworkTimeout()).isEqualTo(40_000);
        }
    }

    @Test
    @Timeout(20)
    void reportsSilentServerAsUnusable() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:%d/orth".formatted(silent.getLocalPort());

            assertThatThrownBy(() -> connectTo(url))
                    .isInstanceOf(StartFailure.class)
                    .hasMessageStartingWith("cannot use the database " + url);
        }
    }

    /** As a primary that was demoted while connections to it stayed open. */
    @Test
    @Tag("must-first")
    void dropsConnectionToServerThatBecameReadOnly() throws SQLException {
        try (HikariDataSource database = connectTo(db.url());
                Connection observer = db.dataSource().getConnection()) {
            String pid;
            try (Connection connection = database.getConnection()) {
                pid = ask(connection, "select pg_backend_pid()");
                ask(connection, "select set_config('default_transaction_read_only', 'on', false)");

                assertThatThrownBy(() -> ask(connection, "create table t (n int)"))
                        .hasFieldOrPropertyWithValue("SQLState", "25006");
            }

            await().atMost(Duration.ofSeconds(30))
                    .until(() -> ask(observer, "select count(*) from pg_stat_activity where pid = " + pid)
                            .equals("0"));
        }
    }

    @Test
    void reservedConnectionsHaveTimeoutsBelowTheLeaseDuration() throws SQLException {
        try (HikariDataSource database = new DatabaseConfiguration()
                        .reservedConnections(to(db.url(), Duration.ofSeconds(2)), noEmbedded());
                Connection connection = database.getConnection()) {
            assertThat(database.getMaximumPoolSize()).isEqualTo(3);
            assertThat(ask(connection, "show statement_timeout")).isEqualTo("5s");
            assertThat(ask(connection, "show lock_timeout")).isEqualTo("2s");
            assertThat(ask(connection, "show plan_cache_mode")).isEqualTo("force_generic_plan");
            assertThat(connection.getNetworkTimeout()).isEqualTo(8_000);
        }
    }

    @Test
    void roundsShortestConnectTimeoutUp() {
        assertThat(new ConnectionPools(to(db.url(), Duration.ofMillis(250)), null)
                        .shared()
                        .getDataSourceProperties()
                        .getProperty("connectTimeout"))
                .as("in seconds; none would be no limit")
                .isEqualTo("1");
    }

    /** Takes as long as the limit. */
    @Test
    @EnabledIfSystemProperty(named = "orth.full", matches = "true")
    @Timeout(value = 90, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void abandonsServerThatFallsSilentDuringStatement() throws Exception {
        try (SilentProxy proxy = SilentProxy.to(db.url());
                HikariDataSource database = connectTo(proxy.url());
                Connection connection = database.getConnection()) {
            proxy.fallSilent();
            long begin = System.nanoTime();

            assertThatThrownBy(() -> ask(connection, "select 1")).isInstanceOf(SQLException.class);

            assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin))
                    .isBetween(35L, 60L);
        }
    }

    private HikariDataSource connectTo(String url) {
        return new DatabaseConfiguration().sharedConnections(to(url, Duration.ofSeconds(2)), noEmbedded());
    }

    private static ObjectProvider<EmbeddedPostgres> noEmbedded() {
        return new DefaultListableBeanFactory().getBeanProvider(EmbeddedPostgres.class);
    }

    private DatabaseProperties to(String url, Duration connectTimeout) {
        return new DatabaseProperties(url, db.user(), db.password(), "orth", null, false, "", 4, connectTimeout);
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
