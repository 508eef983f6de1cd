package io.orth.admin.queuealert;

import io.orth.admin.kernel.SqlRows;
import io.orth.admin.queuealert.AlertCondition.Backlog;
import io.orth.admin.queuealert.AlertCondition.FailureRatio;
import io.orth.admin.queuealert.AlertCondition.NoWorkers;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;

/** SQL of alert rules. */
final class AlertRuleRepository {

    private static final String SELECT = """
            select r.id, r.name, r.kind, r.queue_id, q.name as queue, r.waiting, r.oldest_seconds, r.ratio, r.min_ended, r.over_seconds,
                   r.for_seconds, r.cool_down_seconds, r.enabled, r.version, r.created_at, r.updated_at
              from orth_queue_alert_rule r
              left join orth_queue q on q.id = r.queue_id
            """;

    /** Shared locks: an update of a rule waits until the results of evaluating it are stored. */
    private static final String LOCK = SELECT + " order by r.id for share of r";

    private static final String INSERT = """
            insert into orth_queue_alert_rule (name, kind, queue_id, waiting, oldest_seconds, ratio, min_ended, over_seconds,
                                               for_seconds, cool_down_seconds, enabled)
            values (:name, :kind, :queue::integer, :waiting::bigint, :oldest::integer, :ratio::float8, :minEnded::bigint,
                    :over::integer, :for, :coolDown, :enabled)
            returning id
            """;

    private static final String UPDATE = """
            update orth_queue_alert_rule
               set name = :name, kind = :kind, queue_id = :queue::integer, waiting = :waiting::bigint,
                   oldest_seconds = :oldest::integer, ratio = :ratio::float8, min_ended = :minEnded::bigint,
                   over_seconds = :over::integer, for_seconds = :for, cool_down_seconds = :coolDown, enabled = :enabled,
                   version = version + 1, updated_at = now()
             where id = :id
               and version = :version
            """;

    private final JdbcClient jdbc;

    AlertRuleRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<AlertRule> list() {
        return jdbc.sql(SELECT + " order by r.id")
                .query(AlertRuleRepository::read)
                .list();
    }

    List<AlertRule> lock() {
        return jdbc.sql(LOCK).query(AlertRuleRepository::read).list();
    }

    Optional<AlertRule> find(int id) {
        return jdbc.sql(SELECT + " where r.id = :id")
                .param("id", id)
                .query(AlertRuleRepository::read)
                .optional();
    }

    int insert(AlertRuleSpec spec, Integer queue) {
        return bind(jdbc.sql(INSERT), spec, queue).query(Integer.class).single();
    }

    boolean update(int id, int version, AlertRuleSpec spec, Integer queue) {
        return bind(jdbc.sql(UPDATE), spec, queue)
                        .param("id", id)
                        .param("version", version)
                        .update()
                == 1;
    }

    boolean delete(int id) {
        return jdbc.sql("delete from orth_queue_alert_rule where id = :id")
                        .param("id", id)
                        .update()
                == 1;
    }

    private static StatementSpec bind(StatementSpec statement, AlertRuleSpec spec, Integer queue) {
        Backlog backlog = spec.condition() instanceof Backlog one ? one : null;
        FailureRatio failures = spec.condition() instanceof FailureRatio one ? one : null;
        return statement
                .param("name", spec.name())
                .param("kind", spec.condition().kind().name())
                .param("queue", queue)
                .param("waiting", backlog == null ? null : backlog.waiting())
                .param("oldest", backlog == null ? null : seconds(backlog.oldest()))
                .param("ratio", failures == null ? null : failures.ratio())
                .param("minEnded", failures == null ? null : failures.minEnded())
                .param("over", failures == null ? null : seconds(failures.over()))
                .param("for", seconds(spec.holdFor()))
                .param("coolDown", seconds(spec.coolDown()))
                .param("enabled", spec.enabled());
    }

    private static Integer seconds(Duration time) {
        return time == null ? null : (int) time.toSeconds();
    }

    private static AlertRule read(ResultSet row, int n) throws SQLException {
        AlertRuleSpec spec = new AlertRuleSpec(
                row.getString("name"),
                row.getString("queue"),
                condition(row),
                Duration.ofSeconds(row.getInt("for_seconds")),
                Duration.ofSeconds(row.getInt("cool_down_seconds")),
                row.getBoolean("enabled"));
        return new AlertRule(
                row.getInt("id"),
                spec,
                SqlRows.intOrNull(row, "queue_id"),
                row.getInt("version"),
                SqlRows.instant(row, "created_at"),
                SqlRows.instant(row, "updated_at"));
    }

    private static AlertCondition condition(ResultSet row) throws SQLException {
        return switch (AlertKind.valueOf(row.getString("kind"))) {
            case BACKLOG -> {
                Integer oldest = SqlRows.intOrNull(row, "oldest_seconds");
                yield new Backlog(
                        SqlRows.longOrNull(row, "waiting"), oldest == null ? null : Duration.ofSeconds(oldest));
            }
            case FAILURE_RATIO ->
                new FailureRatio(
                        row.getDouble("ratio"),
                        row.getLong("min_ended"),
                        Duration.ofSeconds(row.getInt("over_seconds")));
            case NO_WORKERS -> new NoWorkers();
        };
    }
}
