package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.client.TransactionalQueues;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;

/** An application with tables and a Flyway history of its own in Orth's database. */
@Tag("must-first")
class SharedDatabaseDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final String role = "shop_" + UUID.randomUUID().toString().replace("-", "");

    @BeforeEach
    void makeTheApplicationsUser() throws SQLException {
        asOwner("create role %s login password 'shop'".formatted(role), "grant create on schema public to " + role);
    }

    @AfterEach
    void dropTheApplicationsUser() throws SQLException {
        asOwner("drop owned by " + role, "drop role " + role);
    }

    @Test
    void theApplicationMigratesFirst() throws SQLException {
        migrateTheApplication();
        try (AdminServer.Running admin = AdminServer.start(db)) {
            migrateTheApplication();
            assertEachHasItsOwn();
            assertAPushIsPartOfTheApplicationsTransaction(admin);
        }
    }

    @Test
    void theAdminMigratesFirst() throws SQLException {
        try (AdminServer.Running admin = AdminServer.start(db)) {
            migrateTheApplication();
            assertEachHasItsOwn();
            assertAPushIsPartOfTheApplicationsTransaction(admin);
        }
        try (AdminServer.Running again = AdminServer.start(db)) {
            assertThat(again.api().get("/api/queues").status()).isEqualTo(200);
        }
    }

    /** Rather than starting anew beside what there is. */
    @Test
    void detectsTablesInThePublicSchema() {
        AdminServer.start(db, "--orth.database.schema=public").close();

        assertThatThrownBy(() -> AdminServer.start(db))
                .rootCause()
                .hasMessage("Orth's tables are in the schema 'public' of this database, not in 'orth': "
                        + "set orth.database.schema=public to keep using them");
    }

    private void migrateTheApplication() {
        Flyway.configure()
                .dataSource(db.url(), role, "shop")
                .locations("classpath:shop")
                .load()
                .migrate();
    }

    private void assertEachHasItsOwn() {
        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        assertThat(jdbc.sql("select tablename from pg_tables where schemaname = 'public'")
                        .query(String.class)
                        .list())
                .containsExactlyInAnyOrder("orders", "flyway_schema_history");
        assertThat(jdbc.sql("select script from public.flyway_schema_history")
                        .query(String.class)
                        .list())
                .containsExactly("V1__orders.sql");
        assertThat(jdbc.sql("select script from orth.flyway_schema_history where version = '1'")
                        .query(String.class)
                        .list())
                .containsExactly("V1__kernel.sql");
    }

    private void assertAPushIsPartOfTheApplicationsTransaction(AdminServer.Running admin) throws SQLException {
        asOwner(
                "grant usage on schema orth to " + role,
                "grant insert (queue, messages) on orth.orth_message_inbox to " + role);
        try (Connection shop = DriverManager.getConnection(db.url(), role, "shop");
                Statement statement = shop.createStatement()) {
            shop.setAutoCommit(false);
            statement.execute("insert into orders values (1)");
            TransactionalQueues.in(shop).push("emails", "rolled back");
            shop.rollback();

            statement.execute("insert into orders values (2)");
            TransactionalQueues.in(shop).push("emails", "thank you");
            shop.commit();
        }

        JdbcClient jdbc = JdbcClient.create(db.dataSource());
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(
                                admin.api().get("/api/queues/emails/messages").body())
                        .contains("thank you")
                        .doesNotContain("rolled back"));
        assertThat(jdbc.sql("select id from public.orders").query(Integer.class).list())
                .isEqualTo(List.of(2));
    }

    private void asOwner(String... statements) throws SQLException {
        try (Connection connection = db.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
