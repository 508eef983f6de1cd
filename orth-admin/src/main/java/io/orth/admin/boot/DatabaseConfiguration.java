package io.orth.admin.boot;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.Installation;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** The database: Orth's own PostgreSQL in the data directory, or the one that is named. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DatabaseProperties.class, OrthProperties.class})
class DatabaseConfiguration {

    /** A server that says nothing for this long is gone, whatever the network believes. */
    private static final Duration SILENT_SERVER = Duration.ofSeconds(40);

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

    @Bean(destroyMethod = "close")
    HikariDataSource dataSource(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        HikariConfig config = pool(properties);
        EmbeddedPostgres postgres = embedded.getIfAvailable();
        if (postgres == null) {
            config.setJdbcUrl(properties.url());
            config.setUsername(properties.user());
            config.setPassword(properties.password());
        } else {
            config.setJdbcUrl(postgres.jdbcUrl());
            config.setUsername(postgres.user());
            config.setPassword(postgres.password());
        }
        HikariDataSource dataSource = new HikariDataSource(config);
        DatabaseCheck.check(dataSource, config.getJdbcUrl());
        return dataSource;
    }

    /** Of connections to wherever the database is. */
    static HikariConfig pool(DatabaseProperties properties) {
        HikariConfig config = new HikariConfig();
        config.setPoolName("orth");
        config.setMaximumPoolSize(properties.poolSize() + LISTENERS);
        config.setMinimumIdle(Math.min(2, properties.poolSize()));
        config.setConnectionTimeout(properties.connectTimeout().toMillis());
        config.setInitializationFailTimeout(WITHOUT_LOOKING);
        config.addDataSourceProperty("ApplicationName", "orth-admin");
        config.addDataSourceProperty("tcpKeepAlive", "true");
        config.addDataSourceProperty("socketTimeout", seconds(SILENT_SERVER));
        config.addDataSourceProperty("connectTimeout", seconds(properties.connectTimeout()));
        config.setConnectionInitSql(SESSION);
        return config;
    }

    /** As the driver wants it: text, whole seconds, and never the zero that means no limit; other types it ignores. */
    private static String seconds(Duration limit) {
        return Long.toString(Math.max(1, limit.toSeconds()));
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
