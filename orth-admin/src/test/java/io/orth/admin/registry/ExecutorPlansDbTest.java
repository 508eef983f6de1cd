package io.orth.admin.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Offline executors are kept for days: statements about online ones, such as every heartbeat, do not read them. */
@Tag("must-kernel")
class ExecutorPlansDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select count(*) from orth_executor where group_id = 1 and not orth_is_gone(status)",
                "select g.id, (select count(*) from orth_executor e where e.group_id = g.id and not orth_is_gone(e.status))"
                        + " from orth_executor_group g where g.id = 1"
            })
    void thoseOnlineAreFoundByAnIndex(String sql) throws SQLException {
        assertThat(planOf(sql))
                .anyMatch(line -> line.contains("on orth_executor "))
                .noneMatch(line -> line.contains("Filter:") && line.contains("status"));
    }

    @ParameterizedTest
    @CsvSource({"ONLINE, false", "OFFLINE, true", "DEAD, true", ", true"})
    void executorIsGoneUnlessOnline(String status, boolean gone) {
        assertThat(JdbcClient.create(db.dataSource())
                        .sql("select orth_is_gone(:status::text)")
                        .param("status", status)
                        .query(Boolean.class)
                        .single())
                .isEqualTo(gone);
    }

    /** Runs, messages and tasks ask this. */
    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource({
        "ONLINE, 1000, false",
        "OFFLINE, 19, false",
        "OFFLINE, 21, true",
        "DEAD, 0, true",
        ", 0, true",
    })
    void workIsLostUnlessExecutorDeregisteredRecently(String status, int seconds, boolean lost) {
        assertThat(JdbcClient.create(db.dataSource())
                        .sql("select orth_work_is_lost(:status::text, now() - :seconds * interval '1 second', 20)")
                        .param("status", status)
                        .param("seconds", seconds)
                        .query(Boolean.class)
                        .single())
                .isEqualTo(lost);
    }

    @Test
    void theStatusSaysTheSame() {
        for (ExecutorStatus status : ExecutorStatus.values()) {
            executorIsGoneUnlessOnline(status.name(), status.isGone());
        }
    }

    private static List<String> planOf(String sql) throws SQLException {
        List<String> plan = new ArrayList<>();
        try (Connection connection = db.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("set local enable_seqscan = off");
            statement.execute("set local enable_bitmapscan = off");
            try (ResultSet rows = statement.executeQuery("explain " + sql)) {
                while (rows.next()) {
                    plan.add(rows.getString(1) + " ");
                }
            }
            connection.rollback();
        }
        return plan;
    }
}
