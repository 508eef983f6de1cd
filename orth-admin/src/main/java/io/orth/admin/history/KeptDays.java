package io.orth.admin.history;

import io.orth.admin.kernel.DayPartitions;
import java.time.Clock;
import java.time.Duration;
import java.time.LocalDate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * A table that is kept for some days.
 *
 * @param what what is in it, for the log
 * @param rest removes what lies in no day's partition, of days before the given one; returns how many rows
 */
record KeptDays(String what, DayPartitions days, Duration keep, Rest rest) {

    /** Prunes at most {@code limit} rows. */
    @FunctionalInterface
    interface Rest {
        int prune(LocalDate before, int limit);
    }

    /** Runs that are over, and how many there were of them. */
    static KeptDays ofRuns(JdbcClient jdbc, RunReports reports, Clock clock, HistoryProperties properties) {
        Leftovers leftovers = new Leftovers(jdbc);
        return new KeptDays(
                "runs",
                new DayPartitions(jdbc, "orth_run_history", "orth_add_run_day"),
                properties.keepRuns(),
                (day, limit) -> leftovers.prune(Leftovers.RUNS, day, limit)
                        + reports.prune(clock.instant().minus(properties.keepReports()), limit));
    }

    /** Changes of state, who wrote them, and what they name that is gone. */
    static KeptDays ofTransitions(JdbcClient jdbc, HistoryProperties properties) {
        Leftovers leftovers = new Leftovers(jdbc);
        return new KeptDays(
                "transitions",
                new DayPartitions(jdbc, "orth_transition", "orth_add_transition_day"),
                properties.keepTransitions(),
                (day, limit) -> {
                    leftovers.pruneWriters(properties.keepTransitions());
                    leftovers.pruneDeletedJobs(properties.keepTransitions());
                    return leftovers.prune(Leftovers.TRANSITIONS, day, limit);
                });
    }

    /** Changes of state of which many were alike. */
    static KeptDays ofTransitionPacks(JdbcClient jdbc, HistoryProperties properties) {
        return new KeptDays(
                "packed transitions",
                new DayPartitions(jdbc, "orth_transition_pack", "orth_add_transition_pack_day"),
                properties.keepTransitions(),
                (day, limit) -> new Leftovers(jdbc).prune(Leftovers.TRANSITION_PACKS, day, limit));
    }

    /** Messages that are over. */
    static KeptDays ofMessages(JdbcClient jdbc, HistoryProperties properties) {
        return new KeptDays(
                "messages",
                new DayPartitions(jdbc, "orth_message_history", "orth_add_message_day"),
                properties.keepMessages(),
                (day, limit) -> new Leftovers(jdbc).prune(Leftovers.MESSAGES, day, limit));
    }
}
