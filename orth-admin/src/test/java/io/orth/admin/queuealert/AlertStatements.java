package io.orth.admin.queuealert;

import io.orth.admin.AdminFixture;
import io.orth.admin.queue.Queue;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The statements that read the history of alerts, for tests of their plans. */
public final class AlertStatements {

    private AlertStatements() {}

    public static void fill(JdbcClient jdbc, int alerts) {
        jdbc.sql("""
                insert into orth_queue_alert (rule_id, rule_name, kind, queue, text, fired_at, told, told_at, ended_at, ended_by)
                select 1, 'r', 'BACKLOG', 'q' || n % 20, 't', now(), 1, now(), now() - n * interval '1 second', 'RECOVERED'
                  from generate_series(1, :alerts) n
                """).param("alerts", alerts).update();
        jdbc.sql("vacuum analyze orth_queue_alert").update();
    }

    /** In the caller's transaction. */
    public static void exercise(AdminFixture admin, Queue queue) {
        AlertRepository alerts = new AlertRepository(admin.jdbc);
        Instant now = Instant.now();
        AlertRule rule = new AlertRuleRepository(admin.jdbc).lock().get(0);
        AlertState state = AlertState.none(rule.id(), queue.id());
        AlertJudgement fires = new AlertJudgement(rule, queue, state, "found", state.judge(rule, true, true, now));
        Map<AlertRepository.Key, Long> ids = alerts.fire(List.of(fires), now);
        AlertState firing =
                fires.verdict().after().withAlert(ids.values().iterator().next());
        alerts.save(List.of(firing));
        alerts.states();
        alerts.remind(List.of(new AlertJudgement(rule, queue, firing, "found", fires.verdict())), now);
        alerts.end(ids.values(), "RECOVERED", now);
        alerts.reopen(ids.values());
        alerts.list(true, null, Long.MAX_VALUE, 51);
        alerts.list(false, null, Long.MAX_VALUE, 51);
        alerts.list(null, "q1", Long.MAX_VALUE, 51);
        alerts.forget(List.of(firing));
        alerts.prune(now.minus(Duration.ofDays(30)), 100_000, 500);
    }
}
