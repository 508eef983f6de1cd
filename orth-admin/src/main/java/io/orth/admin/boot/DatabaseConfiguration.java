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

/** The database: Orth's own PostgreSQL in the data directory, or the one that is named. */
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

    /** What the admin works with. */
    @Bean(destroyMethod = "close")
    HikariDataSource sharedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        HikariDataSource connections =
                new HikariDataSource(new ConnectionPools(properties, embedded.getIfAvailable()).shared());
        DatabaseCheck.check(connections, properties);
        return connections;
    }

    /** What keeps the node and its executors alive, however busy the shared connections are. */
    @Bean(destroyMethod = "close")
    HikariDataSource reservedConnections(DatabaseProperties properties, ObjectProvider<EmbeddedPostgres> embedded) {
        return new HikariDataSource(new ConnectionPools(properties, embedded.getIfAvailable()).reserved());
    }

    /** Where notifications are heard. */
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
