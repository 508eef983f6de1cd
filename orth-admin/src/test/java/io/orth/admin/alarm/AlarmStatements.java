package io.orth.admin.alarm;

import io.orth.admin.AdminFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** Every statement about alarms, for tests of other packages. */
public final class AlarmStatements {

    private static final Duration LONG = Duration.ofDays(1);

    private AlarmStatements() {}

    /** In the caller's transaction; {@code size} at a time. */
    public static void exercise(AdminFixture admin, List<Long> runs, int size) {
        AlarmRepository alarms = new AlarmRepository(admin.jdbc, admin.changes);
        int channel = channel(admin);
        alarms.runs().takeFailed(size);
        alarms.runs().notNeeded(runs);
        alarms.runs().free(size);
        alarms.lockChannels(List.of(channel));
        alarms.collect(channel, runs);
        AlarmRepository.Due due = alarms.takeDue(size, LONG).get(0);
        alarms.subjects().count(due.id());
        alarms.subjects().runs(due.id(), size);
        alarms.sent(due);
        alarms.collect(channel, runs);
        alarms.failedForGood(due, "no");
        alarms.tryAgain(due, LONG, "no");
        alarms.open(channel, List.of(new AlarmNotice("queue", "rule", false, "text", null, Instant.now())));
        alarms.subjects().notices(due.id(), size);
        alarms.subjects().pipelineRuns(due.id(), size);
        alarms.list(Long.MAX_VALUE, size);
        alarms.prune(Instant.now(), size);
    }

    private static int channel(AdminFixture admin) {
        return admin.jdbc.sql("""
                        insert into orth_alarm_channel (name, kind, target, every_failure, window_seconds, everything, enabled)
                        values ('plans', 'WEBHOOK', 'http://127.0.0.1', false, 0, true, true)
                        returning id
                        """).query(Integer.class).single();
    }
}
