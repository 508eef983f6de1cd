package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** While the database is in trouble, every call is answered with a request to retry. */
@Tag("must-first")
class DatabaseTroubleDbTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** The first calls may meet connections that were ended; later ones have new connections, which are read-only. */
    private static final int MORE_THAN_THE_POOL = 30;

    private static final String MESSAGE = "{\"payload\":\"x\"}";

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private AdminServer.Running admin;
    private SecuredClient executor;
    private String group;

    @BeforeEach
    void start() {
        admin = AdminServer.start(db);
        group = "of-trouble";
        String id = admin.api()
                .post("/api/groups", "{\"name\":\"%s\"}".formatted(group))
                .json()
                .path("id")
                .asString();
        executor = admin.executor(admin.api()
                .get("/api/groups/" + id + "/token")
                .json()
                .path("token")
                .asString());
        assertThat(push().status()).isIn(200, 201);
        assertThat(register().json().path("code").asInt()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private Answer push() {
        return admin.api().post("/api/queues/troubled/messages", MESSAGE);
    }

    private Answer register() {
        return executor.post(
                "/api/registry",
                "{\"registryGroup\":\"EXECUTOR\",\"registryKey\":\"%s\",\"registryValue\":\"http://127.0.0.1:9/\"}"
                        .formatted(group));
    }

    @Test
    void requestsRetryAfterTerminatedConnection() throws Exception {
        killed("orth_message", this::push);
        killed("orth_executor", this::register);
    }

    /** Ends the connection in the middle of the call's transaction, as an operator or a fail-over does. */
    private void killed(String table, Supplier<Answer> call) throws Exception {
        try (Connection locking = db.dataSource().getConnection()) {
            JdbcClient mine = JdbcClient.create(new SingleConnectionDataSource(locking, true));
            locking.setAutoCommit(false);
            mine.sql("lock table %s in access exclusive mode".formatted(table)).update();
            CompletableFuture<Answer> answer = CompletableFuture.supplyAsync(call);
            CompletableFuture<Void> killing = CompletableFuture.runAsync(() -> {
                while (!answer.isDone()) {
                    waiting(table).forEach(this::kill);
                }
            });
            assertTryAgain(answer.get(LIMIT.toSeconds(), TimeUnit.SECONDS));
            killing.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            locking.rollback();
        }
    }

    private List<Integer> waiting(String table) {
        return admin.jdbc()
                .sql("select pid from pg_locks where not granted and relation = :table::regclass")
                .param("table", table)
                .query(Integer.class)
                .list();
    }

    private void kill(int pid) {
        admin.jdbc()
                .sql("select pg_terminate_backend(:pid)")
                .param("pid", pid)
                .query(Boolean.class)
                .single();
    }

    @Test
    void requestsRetryWhileDatabaseIsReadOnly() {
        readOnly(true);
        try {
            for (int i = 0; i < MORE_THAN_THE_POOL; i++) {
                assertTryAgain(push());
                assertTryAgain(register());
                assertTryAgain(admin.api().post("/api/groups", "{\"name\":\"one-more\"}"));
            }
            assertThat(admin.api().get("/api/groups").status()).isEqualTo(200);
        } finally {
            readOnly(false);
        }
        await().atMost(LIMIT).until(() -> push().status() < 300 && register().status() == 200);
    }

    /** As after a fail-over to a standby that was not promoted: all connections are new. */
    private void readOnly(boolean on) {
        String database = admin.jdbc()
                .sql("select current_database()")
                .query(String.class)
                .single();
        admin.jdbc()
                .sql("alter database \"%s\" set default_transaction_read_only = %s".formatted(database, on))
                .update();
        admin.jdbc()
                .sql("select pg_terminate_backend(pid) from pg_stat_activity"
                        + " where datname = current_database() and application_name = 'orth-admin'")
                .query(Boolean.class)
                .list();
    }

    private static void assertTryAgain(Answer answer) {
        assertThat(answer.status()).as(answer.body()).isEqualTo(503);
        assertThat(answer.code()).isEqualTo("UNAVAILABLE");
        assertThat(answer.header("Retry-After")).isNotEmpty();
    }
}
