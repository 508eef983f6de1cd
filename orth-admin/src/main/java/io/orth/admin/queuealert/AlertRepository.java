package io.orth.admin.queuealert;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of alerts and of the states of rules. */
final class AlertRepository {

    private static final String STATES = """
            select rule_id as rule, queue_id as queue, since, firing, alert_id as alert, told_at as toldAt, over_told as overTold
              from orth_queue_alert_state
            """;

    private static final String SAVE = """
            insert into orth_queue_alert_state (rule_id, queue_id, since, firing, alert_id, told_at, over_told)
            select * from unnest(:rules, :queues, :sinces, :firing, :alerts, :toldAts, :overTold)
            on conflict (rule_id, queue_id) do update
               set since = excluded.since, firing = excluded.firing, alert_id = excluded.alert_id, told_at = excluded.told_at,
                   over_told = excluded.over_told
            """;

    private static final String FORGET = """
            delete from orth_queue_alert_state s
             using unnest(:rules, :queues) as w(rule_id, queue_id)
             where s.rule_id = w.rule_id
               and s.queue_id = w.queue_id
            """;

    private static final String FIRE = """
            insert into orth_queue_alert (rule_id, rule_name, kind, queue, text, fired_at, told, told_at)
            select w.rule_id, w.rule_name, w.kind, w.queue, w.text, :at, 1, :at
              from unnest(:rules, :names, :kinds, :queues, :texts) as w(rule_id, rule_name, kind, queue, text)
            returning id, rule_id, queue
            """;

    private static final String REMIND = """
            update orth_queue_alert a
               set told = a.told + 1, told_at = :at, text = w.text
              from unnest(:ids, :texts) as w(id, text)
             where a.id = any(:ids)
               and a.id = w.id
            """;

    private static final String REOPEN =
            "update orth_queue_alert set ended_at = null, ended_by = null where id = any(:ids) and ended_at is not null";

    private static final String END =
            "update orth_queue_alert set ended_at = :at, ended_by = :by where id = any(:ids) and ended_at is null";

    /** Ends alerts whose rule or queue was deleted: no evaluation would resolve them. */
    private static final String END_LEFT = """
            update orth_queue_alert a
               set ended_at = :at, ended_by = 'RULE'
             where a.ended_at is null
               and not exists (select from orth_queue_alert_state s where s.alert_id = a.id and s.firing)
            """;

    private static final String SELECT = """
            select id, rule_id, rule_name, kind, queue, text, fired_at, told, told_at, ended_at, ended_by
              from orth_queue_alert
             where id < :before
            """;

    private static final String LATEST = " order by id desc limit :limit";

    /** Deletes finished alerts that are too old or not among the last {@code most}. */
    private static final String PRUNE = """
            delete from orth_queue_alert
             where id = any(array((select id from orth_queue_alert where ended_at < :before order by ended_at limit :limit)
                                  union
                                  (select id
                                     from orth_queue_alert
                                    where ended_at is not null
                                      and id <= (select max(id) from orth_queue_alert where id > 0) - :most
                                    order by id
                                    limit :limit)))
            """;

    /** A rule and a queue. */
    record Key(int rule, String queue) {}

    private final JdbcClient jdbc;

    AlertRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    List<AlertState> states() {
        return jdbc.sql(STATES).query(AlertState.class).list();
    }

    void save(List<AlertState> states) {
        jdbc.sql(SAVE)
                .param("rules", SqlArrays.integers(states, AlertState::rule))
                .param("queues", SqlArrays.integers(states, AlertState::queue))
                .param("sinces", SqlArrays.instants(states, AlertState::since))
                .param("firing", SqlArrays.booleans(states, AlertState::firing))
                .param("alerts", SqlArrays.bigints(states, AlertState::alert))
                .param("toldAts", SqlArrays.instants(states, AlertState::toldAt))
                .param("overTold", SqlArrays.booleans(states, AlertState::overTold))
                .update();
    }

    void forget(List<AlertState> states) {
        jdbc.sql(FORGET)
                .param("rules", SqlArrays.integers(states, AlertState::rule))
                .param("queues", SqlArrays.integers(states, AlertState::queue))
                .update();
    }

    /** Inserts alerts and returns their ids. */
    Map<Key, Long> fire(List<AlertJudgement> fired, Instant at) {
        return jdbc
                .sql(FIRE)
                .param("rules", SqlArrays.integers(fired, one -> one.rule().id()))
                .param("names", SqlArrays.texts(fired, one -> one.rule().spec().name()))
                .param(
                        "kinds",
                        SqlArrays.texts(
                                fired,
                                one -> one.rule().spec().condition().kind().name()))
                .param("queues", SqlArrays.texts(fired, one -> one.queue().name()))
                .param("texts", SqlArrays.texts(fired, AlertJudgement::found))
                .param("at", SqlRows.timestamp(at))
                .query((row, n) -> Map.entry(new Key(row.getInt("rule_id"), row.getString("queue")), row.getLong("id")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    void remind(List<AlertJudgement> reminded, Instant at) {
        jdbc.sql(REMIND)
                .param("ids", SqlArrays.bigints(reminded, one -> one.before().alert()))
                .param("texts", SqlArrays.texts(reminded, AlertJudgement::found))
                .param("at", SqlRows.timestamp(at))
                .update();
    }

    void reopen(Collection<Long> alerts) {
        jdbc.sql(REOPEN).param("ids", SqlArrays.bigints(alerts, id -> id)).update();
    }

    void end(Collection<Long> alerts, String by, Instant at) {
        jdbc.sql(END)
                .param("ids", SqlArrays.bigints(alerts, id -> id))
                .param("by", by)
                .param("at", SqlRows.timestamp(at))
                .update();
    }

    void endLeft(Instant at) {
        jdbc.sql(END_LEFT).param("at", SqlRows.timestamp(at)).update();
    }

    /** Returns alerts, newest first. {@code firing} and {@code queue} are null for all. */
    List<QueueAlert> list(Boolean firing, String queue, long before, int limit) {
        String statement = SELECT
                + (firing == null ? "" : firing ? " and ended_at is null" : " and ended_at is not null")
                + (queue == null ? "" : " and queue = :queue")
                + LATEST;
        return jdbc.sql(statement)
                .param("before", before)
                .param("queue", queue)
                .param("limit", limit)
                .query(QueueAlert.class)
                .list();
    }

    int prune(Instant before, int most, int limit) {
        return jdbc.sql(PRUNE)
                .param("before", SqlRows.timestamp(before))
                .param("most", most)
                .param("limit", limit)
                .update();
    }
}
