package io.orth.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A real PostgreSQL database, migrated and otherwise empty.
 *
 * <p>Registered by a field of a test, every test gets a database of its own; by a static field, the tests of the class
 * share one. The server behind it is started by the first test of a Maven build that needs it and ends with the build;
 * without Maven each JVM has its own. Its data is not durable.
 *
 * <pre>{@code
 * @RegisterExtension
 * final TestDatabase db = new TestDatabase();
 * }</pre>
 */
public final class TestDatabase implements BeforeAllCallback, BeforeEachCallback, AfterEachCallback, AfterAllCallback {

    private static final int MAX_CONNECTIONS = 32;
    private static final String DEFAULT_MIGRATIONS = "classpath:db/migration";

    private final String migrations;
    private boolean sharedByClass;
    private DatabasePool pool;
    private DatabasePool.Database database;
    private HikariDataSource dataSource;

    /** Migrated by Flyway from {@code classpath:db/migration}. */
    public TestDatabase() {
        this(DEFAULT_MIGRATIONS);
    }

    private TestDatabase(String migrations) {
        this.migrations = migrations;
    }

    /** Migrated by Flyway from another place. */
    public static TestDatabase migratedFrom(String location) {
        return new TestDatabase(location);
    }

    /** Without any table. */
    public static TestDatabase empty() {
        return new TestDatabase(DatabasePool.NO_MIGRATIONS);
    }

    /** Pooled, as connecting takes longer than most statements of a test; closed with the test. */
    public synchronized DataSource dataSource() {
        if (dataSource == null) {
            HikariConfig config = new HikariConfig();
            config.setJdbcUrl(url());
            config.setUsername(user());
            config.setPassword(password());
            config.setMinimumIdle(0);
            config.setMaximumPoolSize(MAX_CONNECTIONS);
            dataSource = new HikariDataSource(config);
        }
        return dataSource;
    }

    public String url() {
        return current().url();
    }

    public String user() {
        return current().user();
    }

    public String password() {
        return current().password();
    }

    private DatabasePool.Database current() {
        if (database == null) {
            throw new IllegalStateException(
                    "there is a database only while a test runs; register TestDatabase by @RegisterExtension");
        }
        return database;
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        sharedByClass = true;
        open(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        if (!sharedByClass) {
            open(context);
        }
    }

    @Override
    public void afterEach(ExtensionContext context) {
        if (!sharedByClass) {
            close();
        }
    }

    @Override
    public void afterAll(ExtensionContext context) {
        close();
    }

    void open(ExtensionContext context) {
        pool = TestServer.of(context).pool(migrations);
        database = pool.take();
    }

    synchronized void close() {
        if (dataSource != null) {
            dataSource.close();
            dataSource = null;
        }
        if (database != null) {
            pool.giveBack(database);
            database = null;
        }
    }
}
