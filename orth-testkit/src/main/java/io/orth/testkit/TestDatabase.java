package io.orth.testkit;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.junit.jupiter.api.Assumptions;
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
    /** Null unless the tests are to go through one. */
    private ThroughPgBouncer through;

    private PgBouncer pooler;
    private HikariDataSource connections;
    private DataSource dataSource;

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
            config.setJdbcUrl(through == null ? url() : pooler().url());
            config.setUsername(user());
            config.setPassword(password());
            config.setMinimumIdle(0);
            config.setMaximumPoolSize(MAX_CONNECTIONS);
            if (through != null) {
                config.addDataSourceProperty("prepareThreshold", "0");
            }
            connections = new HikariDataSource(config);
            dataSource = through == null ? connections : made(through.as()).apply(connections);
        }
        return dataSource;
    }

    private static <T> T made(Class<T> type) {
        try {
            return type.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("%s needs a public constructor".formatted(type), e);
        }
    }

    private PgBouncer pooler() {
        pooler = PgBouncer.before(url(), user(), password(), through.sessions());
        return pooler;
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
        through = context.getTestClass()
                .map(test -> test.getAnnotation(ThroughPgBouncer.class))
                .orElse(null);
        Assumptions.assumeTrue(through == null || PgBouncer.program().isPresent(), "-Dorth.pgbouncer");
        pool = TestServer.of(context).pool(migrations);
        database = pool.take();
    }

    synchronized void close() {
        if (dataSource != null) {
            connections.close();
            dataSource = null;
        }
        if (pooler != null) {
            pooler.close();
            pooler = null;
        }
        if (database != null) {
            pool.giveBack(database);
            database = null;
        }
    }
}
