package io.orth.admin.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.ReservedConnections;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.time.Duration;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** The database: Orth's own PostgreSQL in the data directory, or the one that is named. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DatabaseProperties.class, OrthProperties.class})
class DatabaseConfiguration {

    /** A server that says nothing for this long is gone, whatever the network believes. */
    private static final Duration SILENT_SERVER = Duration.ofSeconds(40);

    private static final Duration SILENT_FOR_RESERVED = Duration.ofSeconds(8);

    /**
     * No statement, lock or forgotten transaction holds up the others for long. Plans depend neither on how many rows a statement is
     * about nor on how large a table was when it was planned: for many rows, or of a table that was still small, the planner would
     * rather read the whole, or all of a queue to sort it, and keep to that. Compiling a plan takes longer than anything Orth asks.
     */
    private static final String SESSION =
            "set statement_timeout = '30s'; set lock_timeout = '10s'; set idle_in_transaction_session_timeout = '15s'; "
                    + "set plan_cache_mode = force_generic_plan; set enable_seqscan = off; set enable_bitmapscan = off; set jit = off";

    /** The pool does not try the database when it is made, and so says nothing of its own when that fails. */
    private static final long WITHOUT_LOOKING = -1;

    /** One connection listens all the time, beside those that work. */
    private static final int LISTENERS = 1;

    private static final int RESERVED = 3;

    private static final Logger log = LoggerFactory.getLogger(DatabaseConfiguration.class);

    @Bean(destroyMethod = "close")
    @Conditional(NoDatabaseNamed.class)
    EmbeddedPostgres embeddedPostgres(OrthProperties properties, DatabaseProperties database) {
        EmbeddedPostgresOptions inData =
                EmbeddedPostgresOptions.in(properties.dataDir().resolve("postgres"));
        EmbeddedPostgres postgres = EmbeddedPostgres.start(
                database.programs().map(inData::withBinariesIn).orElse(inData));
        log.atInfo().addKeyValue("version", postgres.version()).log("started the embedded PostgreSQL");
        return postgres;
    }

    /** What the admin works with. */
    @Bean(destroyMethod = "close")
    HikariDataSource sharedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        HikariConfig config = to(properties, embedded.getIfAvailable(), pool(properties));
        HikariDataSource connections = new HikariDataSource(config);
        DatabaseCheck.check(connections, config.getJdbcUrl(), properties.schema());
        return connections;
    }

    /** What keeps the node and its executors alive, however busy the shared connections are. */
    @Bean(destroyMethod = "close")
    HikariDataSource reservedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        return new HikariDataSource(to(properties, embedded.getIfAvailable(), reservedPool(properties)));
    }

    @Bean
    @Primary
    DataSource dataSource(
            @Qualifier("sharedConnections") DataSource shared, @Qualifier("reservedConnections") DataSource reserved) {
        return new ReservedConnections(shared, reserved);
    }

    private static HikariConfig to(DatabaseProperties properties, EmbeddedPostgres embedded, HikariConfig pool) {
        pool.setJdbcUrl(embedded == null ? properties.url() : embedded.jdbcUrl());
        pool.setUsername(embedded == null ? properties.user() : embedded.user());
        pool.setPassword(embedded == null ? properties.password() : embedded.password());
        return pool;
    }

    /** Of connections to wherever the database is. */
    static HikariConfig pool(DatabaseProperties properties) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("orth");
        config.setMaximumPoolSize(properties.poolSize() + LISTENERS);
        config.setMinimumIdle(Math.min(2, properties.poolSize()));
        config.setConnectionTimeout(properties.connectTimeout().toMillis());
        config.setInitializationFailTimeout(WITHOUT_LOOKING);
        config.setExceptionOverride(new ReadOnlyEviction());
        config.addDataSourceProperty("ApplicationName", "orth-admin");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_SERVER));
        config.addDataSourceProperty("connectTimeout", seconds(properties.connectTimeout()));
        config.setConnectionInitSql(sessionIn(properties.schema()));
        return config;
    }

    /** Always open, and with limits below the duration of a node's lease: neither a lock nor a silent server keeps them for long. */
    static HikariConfig reservedPool(DatabaseProperties properties) {
        HikariConfig config = pool(properties);
        config.setPoolName("orth-reserved");
        config.setMaximumPoolSize(RESERVED);
        config.setMinimumIdle(RESERVED);
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_FOR_RESERVED));
        config.setConnectionInitSql(
                sessionIn(properties.schema()) + "; set statement_timeout = '5s'; set lock_timeout = '2s'");
        return config;
    }

    private static String sessionIn(String schema) {
        return "set search_path = %s; %s".formatted(schema, SESSION);
    }

    /** As the driver wants it: text, whole seconds, and never the zero that means no limit; other types it ignores. */
    private static String seconds(Duration limit) {
        return Long.toString(Math.max(1, limit.toSeconds()));
    }

    /** So an application in the same database may have a Flyway history of its own. */
    @Bean
    FlywayConfigurationCustomizer schemaOfOrth(DatabaseProperties properties) {
        return flyway -> flyway.defaultSchema(properties.schema());
    }

    @Bean
    SchemaMigration schemaMigration() {
        return new SchemaMigration();
    }

    @Bean
    Installation installation(OrthProperties properties, DatabaseProperties database) {
        return new Installation(
                properties.environment(), database.embedded() ? "embedded" : "external", properties.dataDir());
    }

    /** Ends this node when its own database has ended unasked: it would only fail, slowly. */
    @Bean
    @Conditional(NoDatabaseNamed.class)
    EmbeddedDatabaseWatch embeddedDatabaseWatch(EmbeddedPostgres postgres) {
        return new EmbeddedDatabaseWatch(postgres);
    }
}
