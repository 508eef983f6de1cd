package io.orth.admin.boot;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.ReservedConnections;
import io.orth.admin.kernel.TransactionSettings;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
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

/** Wiring of the database: the embedded PostgreSQL in the data directory, or the configured server. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties({DatabaseProperties.class, OrthProperties.class})
class DatabaseConfiguration {

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

    /** Returns the pool for the admin's regular work. */
    @Bean(destroyMethod = "close")
    HikariDataSource sharedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        HikariDataSource connections =
                new HikariDataSource(new ConnectionPools(properties, embedded.getIfAvailable()).shared());
        DatabaseCheck.check(connections, properties);
        return connections;
    }

    /** Returns the pool for work that keeps the node and its executors alive, independent of the load on the shared pool. */
    @Bean(destroyMethod = "close")
    HikariDataSource reservedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        return new HikariDataSource(new ConnectionPools(properties, embedded.getIfAvailable()).reserved());
    }

    /** Returns the pool that listens for notifications. */
    @Bean(destroyMethod = "close")
    HikariDataSource listenConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        return new HikariDataSource(new ConnectionPools(properties, embedded.getIfAvailable()).listening());
    }

    @Bean
    @Primary
    DataSource dataSource(
            DatabaseProperties properties,
            @Qualifier("sharedConnections") DataSource shared,
            @Qualifier("reservedConnections") DataSource reserved) {
        return properties.pooler()
                ? new ReservedConnections(
                        new TransactionSettings(shared, ConnectionPools.sharedSettings(properties)),
                        new TransactionSettings(reserved, ConnectionPools.reservedSettings(properties)))
                : new ReservedConnections(shared, reserved);
    }

    /** Puts Flyway's history into Orth's schema, so that an application in the same database can have its own. */
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

    /** Stops this node if its embedded PostgreSQL exits unexpectedly: otherwise every operation would fail, slowly. */
    @Bean
    @Conditional(NoDatabaseNamed.class)
    EmbeddedDatabaseWatch embeddedDatabaseWatch(EmbeddedPostgres postgres) {
        return new EmbeddedDatabaseWatch(postgres);
    }
}
