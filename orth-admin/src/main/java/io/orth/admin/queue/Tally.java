package io.orth.admin.queue;

import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;

/** Counts what happens to the messages of a queue in one transaction. */
final class Tally {

    private static final String WRITE = """
            insert into orth_queue_tally (queue_id, minute, pushed, claimed, put_back, done, failed, dead, discarded, dropped, revived,
                                          wait_millis, run_millis)
            values (:queue, :minute, :pushed, :claimed, :putBack, :done, :failed, :dead, :discarded, :dropped, :revived, :waitMillis,
                    :runMillis)
            """;

    private int pushed;
    private int claimed;
    private int done;
    private int failed;
    private int dead;
    private int discarded;
    private int dropped;
    private int revived;
    private int putBack;
    private long waitMillis;
    private long runMillis;
    private final TimeBuckets waits = new TimeBuckets();
    private final TimeBuckets runs = new TimeBuckets();

    void pushed(int messages) {
        pushed += messages;
    }

    /** A message has taken this step. */
    void moved(MessageMove move) {
        switch (move.reason()) {
            case COMPLETED -> done++;
            case FAILED, TIMED_OUT, LOST -> failed++;
            case RETURNED -> {}
            case EXHAUSTED, FAILED_FOR_GOOD -> {
                failed++;
                if (move.to() == MessageStatus.DEAD) {
                    dead++;
                } else {
                    done++;
                }
            }
            case RETRIED -> revived++;
            case DISCARDED -> {
                if (move.from() == MessageStatus.DEAD) {
                    dropped++;
                } else {
                    discarded++;
                }
            }
            case PUSHED, CLAIMED -> throw new IllegalArgumentException("counted elsewhere");
        }
        if (move.from() == MessageStatus.RUNNING && move.to() == MessageStatus.WAITING) {
            putBack++;
        }
        runMillis += move.runMillis();
        if (move.isReported()) {
            runs.add(move.runMillis());
        }
    }

    /** A message has gone to an executor that had been due for so long. */
    void claimed(long millis) {
        claimed++;
        waitMillis += Math.max(0, millis);
        waits.add(Math.max(0, millis));
    }

    /** By how much the number of messages with executors has changed. */
    int runningDelta() {
        return claimed - done - dead - putBack;
    }

    boolean hasPutBack() {
        return putBack > 0;
    }

    int pushed() {
        return pushed;
    }

    int claimed() {
        return claimed;
    }

    int done() {
        return done;
    }

    int failed() {
        return failed;
    }

    int dead() {
        return dead;
    }

    /** How long the messages that were claimed had been due. */
    TimeBuckets waits() {
        return waits;
    }

    /** How long the attempts took that were reported. */
    TimeBuckets runs() {
        return runs;
    }

    boolean isEmpty() {
        return pushed + claimed + putBack + done + failed + discarded + dropped + revived == 0;
    }

    void write(LastWrites writes, int queue, Instant at) {
        writes.add(
                WRITE,
                new MapSqlParameterSource()
                        .addValue("queue", queue)
                        .addValue("minute", SqlRows.timestamp(at.truncatedTo(ChronoUnit.MINUTES)))
                        .addValue("pushed", pushed)
                        .addValue("claimed", claimed)
                        .addValue("putBack", putBack)
                        .addValue("done", done)
                        .addValue("failed", failed)
                        .addValue("dead", dead)
                        .addValue("discarded", discarded)
                        .addValue("dropped", dropped)
                        .addValue("revived", revived)
                        .addValue("waitMillis", waitMillis)
                        .addValue("runMillis", runMillis));
    }
}
