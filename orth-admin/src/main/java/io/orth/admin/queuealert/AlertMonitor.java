package io.orth.admin.queuealert;

import io.orth.admin.alarm.AlarmNotice;
import io.orth.admin.alarm.Alarms;
import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.LeasedDuty.FencedPass;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.Queue;
import io.orth.admin.queue.QueueReports;
import io.orth.admin.queue.QueueReports.Figures;
import io.orth.admin.queue.Queues;
import io.orth.admin.queuealert.AlertState.Step;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty.Pass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Evaluates the alert rules for every queue and notifies channels. */
final class AlertMonitor implements FencedPass {

    /** Maximum number of changes per pass. The next pass follows immediately and stores the rest. */
    static final int MOST_CHANGES = 1_000;

    private final AlertRuleRepository rules;
    private final AlertRepository alerts;
    private final Queues queues;
    private final QueueReports reports;
    private final Alarms alarms;
    private final ClusterLease lease;
    private final Transactions transactions;
    private final SystemLog log;
    private final Clock clock;

    AlertMonitor(
            JdbcClient jdbc,
            Queues queues,
            QueueReports reports,
            Alarms alarms,
            ClusterLease lease,
            Transactions transactions,
            SystemLog log,
            Clock clock) {
        this.rules = new AlertRuleRepository(jdbc);
        this.alerts = new AlertRepository(jdbc);
        this.queues = queues;
        this.reports = reports;
        this.alarms = alarms;
        this.lease = lease;
        this.transactions = transactions;
        this.log = log;
        this.clock = clock;
    }

    /** Number of changes that one pass stored, and the notices that it sent. */
    private record Written(int changes, List<AlarmNotice> notices) {}

    @Override
    public Pass run(long term) {
        Written written = transactions.call(() -> lease.confirm(term) ? look() : new Written(0, List.of()));
        written.notices().forEach(this::publish);
        return Pass.after(written.changes(), MOST_CHANGES);
    }

    private void publish(AlarmNotice notice) {
        log.publish(
                notice.over() ? LogLevel.INFO : LogLevel.WARN,
                "queue %s: %s (alert %s)".formatted(notice.queue(), notice.text(), notice.rule()),
                null,
                notice.queue());
    }

    private Written look() {
        Instant now = clock.instant();
        alerts.endLeft(now);
        List<AlertJudgement> changed = judgeAll(now).stream()
                .filter(AlertJudgement::changes)
                .limit(MOST_CHANGES)
                .toList();
        write(changed, now);
        List<AlarmNotice> notices = changed.stream()
                .filter(AlertJudgement::isTold)
                .map(one -> one.notice(now))
                .toList();
        alarms.tell(notices);
        return new Written(changed.size(), notices);
    }

    private List<AlertJudgement> judgeAll(Instant now) {
        List<AlertRule> all = rules.lock();
        List<Queue> known = queues.list();
        Map<List<Integer>, AlertState> states = alerts.states().stream()
                .collect(Collectors.toMap(state -> List.of(state.rule(), state.queue()), Function.identity()));
        Map<Duration, Map<Integer, Figures>> figures = new HashMap<>();
        List<AlertJudgement> judged = new ArrayList<>();
        for (AlertRule rule : all) {
            AlertCondition condition = rule.spec().condition();
            for (Queue queue : known) {
                AlertState state = states.get(List.of(rule.id(), queue.id()));
                if (rule.covers(queue)) {
                    Figures ofQueue = figures.computeIfAbsent(
                                    condition.time(), time -> reports.figures(known, now, time))
                            .get(queue.id());
                    judged.add(AlertJudgement.of(rule, queue, state, condition.check(queue, ofQueue, now), now));
                } else if (state != null) {
                    judged.add(AlertJudgement.of(rule, queue, state, Optional.empty(), now));
                }
            }
        }
        return judged;
    }

    private void write(List<AlertJudgement> changed, Instant now) {
        if (changed.isEmpty()) {
            return;
        }
        Map<AlertRepository.Key, Long> fired = alerts.fire(of(changed, Step.FIRE), now);
        alerts.remind(of(changed, Step.REMIND), now);
        alerts.reopen(alertsOf(changed, Step.COME_BACK));
        alerts.end(alertsOf(changed, Step.RECOVER), "RECOVERED", now);
        alerts.end(alertsOf(changed, Step.STOP), "RULE", now);
        List<AlertState> kept = new ArrayList<>();
        List<AlertState> over = new ArrayList<>();
        for (AlertJudgement one : changed) {
            AlertState after = one.verdict().after();
            if (after == null) {
                over.add(one.before());
            } else {
                Long id = fired.get(
                        new AlertRepository.Key(one.rule().id(), one.queue().name()));
                kept.add(id == null ? after : after.withAlert(id));
            }
        }
        alerts.save(kept);
        alerts.forget(over);
    }

    private static List<AlertJudgement> of(List<AlertJudgement> all, Step step) {
        return all.stream().filter(one -> one.is(step)).toList();
    }

    private static List<Long> alertsOf(List<AlertJudgement> all, Step step) {
        return of(all, step).stream()
                .map(one -> one.before().alert())
                .filter(id -> id != null)
                .toList();
    }
}
