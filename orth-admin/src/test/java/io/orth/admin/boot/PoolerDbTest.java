package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.TransactionSettings;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.testkit.PgBouncer;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** The admin's connections through a real pooler in transaction mode: no session has anything of Orth's before or after a transaction. */
@Tag("must-kernel")
class PoolerDbTest {

    private static final int SESSIONS = 3;
    private static final String SETTINGS = """
            select string_agg(name || '=' || setting, ' ' order by name)
              from pg_settings
             where name in ('search_path', 'statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout',
                            'plan_cache_mode', 'enable_seqscan', 'enable_bitmapscan', 'jit', 'role')
            """;

    /** Settings made in a session other than those that PgBouncer keeps for each of its clients. */
    private static final String LEFT = """
            select coalesce(string_agg(name || '=' || setting, ' ' order by name), '')
              from pg_settings
             where source = 'session'
               and name not in ('application_name', 'client_encoding', 'DateStyle', 'IntervalStyle', 'TimeZone',
                                'standard_conforming_strings')
            """;

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final List<AutoCloseable> open = new ArrayList<>();
    private PgBouncer pooler;

    @BeforeEach
    void startPooler() {
        assumeThat(PgBouncer.program()).as("-Dorth.pgbouncer").isPresent();
        pooler = opened(PgBouncer.before(db.url(), db.user(), db.password(), SESSIONS));
    }

    @AfterEach
    void closeAll() throws Exception {
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "search_path, orth",
        "statement_timeout, 30s",
        "lock_timeout, 10s",
        "idle_in_transaction_session_timeout, 15s",
        "plan_cache_mode, force_generic_plan",
        "enable_seqscan, off",
        "enable_bitmapscan, off",
        "jit, off"
    })
    void everyTransactionHasItsSettings(String setting, String value) throws SQLException {
        try (Connection connection = pooled().getConnection()) {
            for (boolean alone : List.of(true, false, true)) {
                connection.setAutoCommit(alone);
                for (int i = 0; i < 3; i++) {
                    assertThat(ask(connection, "show " + setting)).isEqualTo(value);
                    if (!alone) {
                        assertThat(ask(connection, "show " + setting)).isEqualTo(value);
                        connection.commit();
                    }
                }
            }
        }
    }

    @Test
    void theFirstStatementOfATransactionIsUnderItsLimits() throws SQLException {
        DatabaseProperties properties = through(pooler.url());
        DataSource briefly = new TransactionSettings(
                connect(properties), ConnectionPools.sharedSettings(properties).with("statement_timeout", "200ms"));
        try (Connection connection = briefly.getConnection()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> ask(connection, "select pg_sleep(60)"))
                    .hasFieldOrPropertyWithValue("SQLState", "57014");
            connection.rollback();
        }
    }

    @Test
    void aStatementAnswersAsWithoutSettingsBeforeIt() throws SQLException {
        try (Connection connection = pooled().getConnection();
                Statement statement = connection.createStatement()) {
            assertThat(statement.execute("create table public.t (n int)")).isFalse();
            assertThat(statement.executeUpdate("insert into public.t values (1), (2)"))
                    .isEqualTo(2);
            assertThat(statement.execute("select n from public.t")).isTrue();
            try (ResultSet rows = statement.executeQuery("select n from public.t order by n")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(1);
            }
            try (var update = connection.prepareStatement("update public.t set n = n + ? returning n")) {
                update.setInt(1, 10);
                try (ResultSet rows = update.executeQuery()) {
                    rows.next();
                    assertThat(rows.getInt(1)).isEqualTo(11);
                }
            }
            try (var delete = connection.prepareStatement("delete from public.t where n > ?")) {
                delete.setInt(1, 11);
                assertThat(delete.executeUpdate()).isEqualTo(1);
            }
        }
    }

    /** Settings made in the part that is rolled back are rolled back as well. */
    @Test
    void rollbackToSavepointKeepsSettings() throws SQLException {
        try (Connection connection = pooled().getConnection()) {
            connection.setAutoCommit(false);
            Savepoint begin = connection.setSavepoint();
            assertThat(ask(connection, "show lock_timeout")).isEqualTo("10s");
            connection.rollback(begin);
            assertThat(ask(connection, "show lock_timeout")).isEqualTo("10s");
            connection.rollback();
        }
    }

    @Test
    void rejectsPreparedStatementOfEarlierTransaction() throws SQLException {
        try (Connection connection = pooled().getConnection()) {
            connection.setAutoCommit(false);
            ask(connection, "select 1");
            try (var later = connection.prepareStatement("select 1")) {
                connection.commit();
                assertThatThrownBy(later::executeQuery).hasMessageContaining("another transaction");
            }
        }
    }

    @Test
    void settingsDoNotLeakToOtherClients() throws SQLException {
        List<String> before = seenByStrangers();
        try (Connection connection = pooled().getConnection()) {
            for (int i = 0; i < 20; i++) {
                ask(connection, "select " + i);
            }
        }

        assertThat(seenByStrangers()).isEqualTo(before).hasSize(SESSIONS);
    }

    /** The driver sets the digits of floating-point numbers when it connects. Any value from 1, the default, means the same. */
    @Test
    void onlyTheDriversFloatDigitsStayInASession() throws SQLException {
        try (Connection connection = pooled().getConnection()) {
            connection.setAutoCommit(false);
            assertThat(floatWithDigits(connection, 1)).isEqualTo(floatWithDigits(connection, 3));
            connection.commit();
        }

        assertThat(seenByStrangers(LEFT)).hasSize(SESSIONS).isSubsetOf("", "extra_float_digits=3");
    }

    private static String floatWithDigits(Connection connection, int digits) throws SQLException {
        ask(connection, "select set_config('extra_float_digits', '%d', true)".formatted(digits));
        return ask(connection, "select (0.1::float8 + 0.2::float8)::text || ' ' || 0.1::float4::text");
    }

    @Test
    void theSchemaIsMigratedWithoutALeftover() throws SQLException {
        List<String> before = seenByStrangers();
        DatabaseProperties properties = through(pooler.url());
        DataSource database = pooled();
        FluentConfiguration flyway = Flyway.configure().dataSource(database).locations("classpath:db/migration");
        new DatabaseConfiguration().schemaOfOrth(properties).customize(flyway);

        assertThat(flyway.load().migrate().success).isTrue();

        assertThat(seenByStrangers()).isEqualTo(before);
        try (Connection connection = database.getConnection()) {
            assertThat(ask(connection, "select to_regclass('orth.orth_node')::text"))
                    .isEqualTo("orth_node");
        }
    }

    @Test
    void reportsUndeclaredPooler() {
        assertThatThrownBy(() -> connect(direct(pooler.url())))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("is behind a pooler (FATAL: unsupported startup parameter: options)")
                .hasMessageContaining("set orth.database.pooler=true");
    }

    @Test
    void reportsPoolerThatForgetsSettings() {
        PgBouncer forgetful = opened(
                PgBouncer.before(db.url(), db.user(), db.password(), SESSIONS, "ignore_startup_parameters = options"));

        assertThatThrownBy(() -> connect(direct(forgetful.url())))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("the database is behind a pooler, set orth.database.pooler=true");
    }

    /**
     * An application beside Orth. Opens as many connections concurrently as there are sessions, so that each differs.
     */
    private List<String> seenByStrangers() throws SQLException {
        return seenByStrangers(SETTINGS);
    }

    private List<String> seenByStrangers(String query) throws SQLException {
        List<Connection> strangers = new ArrayList<>();
        List<String> seen = new ArrayList<>();
        try {
            for (int i = 0; i < SESSIONS; i++) {
                Connection stranger =
                        DriverManager.getConnection(pooler.url() + "?prepareThreshold=0", db.user(), db.password());
                strangers.add(stranger);
                stranger.setAutoCommit(false);
                seen.add(ask(stranger, query));
            }
        } finally {
            for (Connection stranger : strangers) {
                stranger.rollback();
                stranger.close();
            }
        }
        return seen;
    }

    private DataSource pooled() {
        return new DatabaseConfiguration().dataSource(through(pooler.url()), connect(through(pooler.url())), null);
    }

    private HikariDataSource connect(DatabaseProperties properties) {
        return opened(new DatabaseConfiguration().sharedConnections(properties, noEmbedded()));
    }

    private <T extends AutoCloseable> T opened(T closeable) {
        open.add(closeable);
        return closeable;
    }

    private static ObjectProvider<EmbeddedPostgres> noEmbedded() {
        return new DefaultListableBeanFactory().getBeanProvider(EmbeddedPostgres.class);
    }

    private DatabaseProperties through(String url) {
        return properties(url, true);
    }

    private DatabaseProperties direct(String url) {
        return properties(url, false);
    }

    private DatabaseProperties properties(String url, boolean behindPooler) {
        return new DatabaseProperties(
                url, db.user(), db.password(), "orth", null, behindPooler, "", 8, Duration.ofSeconds(2));
    }

    private static String ask(Connection connection, String sql) throws SQLException {
        try (var statement = connection.prepareStatement(sql);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }
}
