package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionTemplate;

@Timeout(30)
class TransactionsDbTest {

    @RegisterExtension
    final TestDatabase db = TestDatabase.empty();

    private final AtomicInteger tries = new AtomicInteger();
    private JdbcClient jdbc;
    private TransactionTemplate template;
    private Transactions transactions;

    @BeforeEach
    void setUp() throws SQLException {
        jdbc = JdbcClient.create(db.dataSource());
        template = new TransactionTemplate(new JdbcTransactionManager(db.dataSource()));
        transactions = new Transactions(template);
        elsewhere("create table counter (id int primary key, value int not null)");
        elsewhere("insert into counter values (1, 0), (2, 0)");
    }

    @Test
    void retriesDeadlockedTransaction() {
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        CountDownLatch oneIsDone = new CountDownLatch(1);

        CompletableFuture<Void> upwards = CompletableFuture.runAsync(() -> addToBoth(1, 2, bothHoldOne, oneIsDone));
        CompletableFuture<Void> downwards = CompletableFuture.runAsync(() -> addToBoth(2, 1, bothHoldOne, oneIsDone));

        assertThat(CompletableFuture.allOf(upwards, downwards)).succeedsWithin(20, TimeUnit.SECONDS);
        assertThat(tries).as("two, and one again").hasValue(3);
        assertThat(value(1)).isEqualTo(2);
        assertThat(value(2)).isEqualTo(2);
    }

    /**
     * The victim's second attempt does not start before the other is finished: it could lock its row again and deadlock
     * once more.
     */
    private void addToBoth(int first, int second, CountDownLatch bothHoldOne, CountDownLatch oneIsDone) {
        AtomicInteger own = new AtomicInteger();
        transactions.run(() -> {
            tries.incrementAndGet();
            if (own.incrementAndGet() > 1) {
                awaitQuietly(oneIsDone);
            }
            jdbc.sql("set local deadlock_timeout = '20ms'").update();
            add(first);
            bothHoldOne.countDown();
            awaitQuietly(bothHoldOne);
            add(second);
        });
        oneIsDone.countDown();
    }

    @Test
    void retriesSerializationFailureOnNewData() {
        template.setIsolationLevel(TransactionDefinition.ISOLATION_REPEATABLE_READ);

        int seen = transactions.call(() -> {
            int before = value(1);
            if (tries.incrementAndGet() == 1) {
                elsewhere("update counter set value = 40 where id = 1");
            }
            jdbc.sql("update counter set value = :value where id = 1")
                    .param("value", before + 2)
                    .update();
            return before;
        });

        assertThat(seen).isEqualTo(40);
        assertThat(value(1)).isEqualTo(42);
        assertThat(tries).hasValue(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"40001", "40P01"})
    void givesUpAfterFourAttemptsAndRollsBack(String state) {
        assertThatThrownBy(() -> transactions.run(() -> failWith(state))).isInstanceOf(DataAccessException.class);

        assertThat(tries).hasValue(4);
        assertThat(value(1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"23505", "22012", "57014", "55P03"})
    void doesNotRetryOtherFailures(String state) {
        assertThatThrownBy(() -> transactions.run(() -> failWith(state))).isInstanceOf(DataAccessException.class);

        assertThat(tries).hasValue(1);
    }

    @Test
    void retriesOuterTransactionAsAWhole() {
        AtomicInteger outer = new AtomicInteger();

        transactions.run(() -> {
            add(2);
            boolean first = outer.incrementAndGet() == 1;
            transactions.run(() -> {
                if (first) {
                    failWith("40001");
                }
            });
        });

        assertThat(outer).hasValue(2);
        assertThat(tries).as("of the inner one").hasValue(1);
        assertThat(value(2)).isEqualTo(1);
    }

    private void failWith(String state) {
        tries.incrementAndGet();
        add(1);
        jdbc.sql("do $$ begin raise exception 'asked for' using errcode = '%s'; end $$".formatted(state))
                .update();
    }

    private void add(int id) {
        jdbc.sql("update counter set value = value + 1 where id = :id")
                .param("id", id)
                .update();
    }

    private int value(int id) {
        return jdbc.sql("select value from counter where id = :id")
                .param("id", id)
                .query(Integer.class)
                .single();
    }

    /** On a connection of its own, committed immediately. */
    private void elsewhere(String sql) {
        try (Connection connection = db.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
