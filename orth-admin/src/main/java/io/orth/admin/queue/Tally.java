package io.orth.admin.queue;

import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.Map;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** Counts of the messages of a queue in one transaction. */
final class Tally {

    private static final String WRITE = """
            insert into orth_queue_tally (queue_id, minute, pushed, claimed, put_back, done, failed, dead, discarded, dropped, revived,
                                          wait_millis, run_millis)
            values (:queue, :minute, :PUSHED, :CLAIMED, :PUT_BACK, :DONE, :FAILED, :DEAD, :DISCARDED, :DROPPED, :REVIVED, :waitMillis,
                    :runMillis)
            """;

    /** Each is a parameter of {@link #WRITE}. */
    enum Count {
        PUSHED,
        CLAIMED,
        PUT_BACK,
        DONE,
        FAILED,
        DEAD,
        DISCARDED,
        DROPPED,
        REVIVED
    }

    private final Map<Count, Integer> counts = new EnumMap<>(Count.class);
    private long waitMillis;
    private long runMillis;
    private final TimeBuckets waits = new TimeBuckets();
    private final TimeBuckets runs = new TimeBuckets();

    void pushed(int messages) {
        counts.merge(Count.PUSHED, messages, Integer::sum);
    }

    /** Counts a transition. */
    void moved(MessageMove move) {
        switch (move.reason()) {
            case COMPLETED -> add(Count.DONE);
            case FAILED, TIMED_OUT, LOST -> add(Count.FAILED);
            case RETURNED -> {}
            case EXHAUSTED, FAILED_FOR_GOOD -> {
                add(Count.FAILED);
                add(move.to() == MessageStatus.DEAD ? Count.DEAD : Count.DONE);
            }
            case RETRIED -> add(Count.REVIVED);
            case DISCARDED -> add(move.from() == MessageStatus.DEAD ? Count.DROPPED : Count.DISCARDED);
            case PUSHED, CLAIMED -> throw new IllegalArgumentException("counted elsewhere");
        }
        if (move.from() == MessageStatus.RUNNING && move.to() == MessageStatus.WAITING) {
            add(Count.PUT_BACK);
        }
        runMillis += move.runMillis();
        if (move.isReported()) {
            runs.add(move.runMillis());
        }
    }

    /** Counts a claimed message that has been due for {@code millis}. */
    void claimed(long millis) {
        add(Count.CLAIMED);
        waitMillis += Math.max(0, millis);
        waits.add(Math.max(0, millis));
    }

    private void add(Count count) {
        counts.merge(count, 1, Integer::sum);
    }

    int of(Count count) {
        return counts.getOrDefault(count, 0);
    }

    /** Returns the change of the number of running messages. */
    int runningDelta() {
        return of(Count.CLAIMED) - of(Count.DONE) - of(Count.DEAD) - of(Count.PUT_BACK);
    }

    /** Returns how long the claimed messages had been due. */
    TimeBuckets waits() {
        return waits;
    }

    /** Returns the run times of reported attempts. */
    TimeBuckets runs() {
        return runs;
    }

    boolean isEmpty() {
        return counts.isEmpty();
    }

    void write(LastWrites writes, int queue, Instant at) {
        MapSqlParameterSource values = new MapSqlParameterSource()
                .addValue("queue", queue)
                .addValue("minute", SqlRows.timestamp(at.truncatedTo(ChronoUnit.MINUTES)))
                .addValue("waitMillis", waitMillis)
                .addValue("runMillis", runMillis);
        for (Count count : Count.values()) {
            values.addValue(count.name(), of(count));
        }
        writes.add(WRITE, values);
    }
}
