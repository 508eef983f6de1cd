package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.orth.admin.kernel.SessionSettings;
import io.orth.admin.kernel.TransactionSettings;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import io.orth.testkit.StandbyServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** A real replica beside its primary. */
@Tag("must-kernel")
class ReplicaDbTest {

    @TempDir
    static Path directory;

    private static EmbeddedPostgres primary;
    private static StandbyServer replica;

    @BeforeAll
    static void start() {
        primary = EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory.resolve("primary")));
        replica = StandbyServer.of(primary, directory.resolve("primary"), directory.resolve("replica"));
    }

    @AfterAll
    static void stop() {
        if (replica != null) {
            replica.close();
        }
        primary.close();
    }

    @Test
    void anAdminDoesNotStartOnIt() {
        assertThatThrownBy(() -> connect(replica.url()))
                .isInstanceOf(StartFailure.class)
                .hasMessage("the database is a read replica: name the primary in orth.database.url");
    }

    /** The name in the URL may lead elsewhere after the admin's start. */
    @Test
    void rejectsConnectionToReplica() {
        try (HikariDataSource later = new HikariDataSource(new ConnectionPools(to(replica.url()), null).shared())) {
            assertThatThrownBy(later::getConnection).rootCause().hasFieldOrPropertyWithValue("SQLState", "25006");
        }
    }

    /** A pooler may send the next transaction to another server. */
    @Test
    void throughAPoolerNothingIsReadFromIt() throws SQLException {
        DataSource moved = new TransactionSettings(
                new DriverManagerDataSource(replica.url(), primary.user(), primary.password()),
                SessionSettings.in("orth"));

        try (Connection connection = moved.getConnection();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.executeQuery("select 1"))
                    .hasFieldOrPropertyWithValue("SQLState", "25006");
        }
    }

    @Test
    void ofSeveralHostsThePrimaryIsUsed() throws SQLException {
        String url = "jdbc:postgresql://127.0.0.1:%d,127.0.0.1:%d/orth".formatted(replica.port(), primary.port());

        try (HikariDataSource database = connect(url);
                Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select inet_server_port()")) {
            row.next();
            assertThat(row.getInt(1)).isEqualTo(primary.port());
        }
    }

    private static HikariDataSource connect(String url) {
        return new DatabaseConfiguration()
                .sharedConnections(to(url), new DefaultListableBeanFactory().getBeanProvider(EmbeddedPostgres.class));
    }

    private static DatabaseProperties to(String url) {
        return new DatabaseProperties(
                url, primary.user(), primary.password(), "orth", null, false, "", 4, Duration.ofSeconds(2));
    }
}
