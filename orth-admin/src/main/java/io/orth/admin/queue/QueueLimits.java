package io.orth.admin.queue;

import io.orth.admin.kernel.SqlRows;
import java.time.Duration;
import java.time.Instant;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Number of messages that may start in a queue with limits. The row in {@code orth_queue_limit} is locked until the caller's transaction
 * ends, so the limits hold for all nodes together.
 */
final class QueueLimits {

    private static final String LOCK = """
            select running, tokens, tokens_at from orth_queue_limit where queue_id = :queue for update
            """;

    private static final String SPEND = """
            update orth_queue_limit set tokens = :tokens, tokens_at = greatest(tokens_at, :at) where queue_id = :queue
            """;

    private static final String RUNNING = """
            update orth_queue_limit set running = greatest(0, running + :delta) where queue_id = :queue
            """;

    /** Takes the number of running messages from the totals and tallies: counting the messages would block all workers of the queue. */
    private static final String RESET = """
            insert into orth_queue_limit as l (queue_id, running, tokens, tokens_at)
            select :queue, greatest(0, coalesce(sum(running), 0)), 0, clock_timestamp()
              from (select running from orth_queue_total where queue_id = :queue
                    union all
                    select claimed - put_back - done - dead from orth_queue_tally where queue_id = :queue) noted
            on conflict (queue_id) do update set running = excluded.running, tokens = 0, tokens_at = excluded.tokens_at
            """;

    /** The row as it was read. */
    private record State(long running, double tokens, Instant tokensAt) {}

    private final JdbcClient jdbc;

    QueueLimits(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns how many of {@code wanted} messages may start. {@link #spend} records how many did. */
    Allowance allow(Queue queue, int wanted, Instant at) {
        State state = jdbc.sql(LOCK)
                .param("queue", queue.id())
                .query((row, n) ->
                        new State(row.getLong("running"), row.getDouble("tokens"), SqlRows.instant(row, "tokens_at")))
                .single();
        long allowed = wanted;
        if (queue.limits().concurrency() != null) {
            allowed = Math.min(allowed, queue.limits().concurrency() - state.running());
        }
        double tokens = Double.POSITIVE_INFINITY;
        if (queue.limits().rate() != null) {
            tokens = tokens(queue.limits().rate(), state, at);
            allowed = Math.min(allowed, (long) tokens);
        }
        return new Allowance((int) Math.max(0, allowed), tokens);
    }

    /** Returns the accrued tokens: at most those of one second, and at least room for one. */
    private static double tokens(int rate, State state, Instant at) {
        Duration since = Duration.between(state.tokensAt(), at);
        double gained = Math.max(0, since.toNanos() / 1e9) * rate;
        return Math.min(Math.max(rate, 1), state.tokens() + gained);
    }

    /** Number of messages that may start, and the tokens accrued under the rate limit. */
    record Allowance(int messages, double tokens) {}

    void spend(Queue queue, Allowance allowance, int begun, Instant at) {
        if (queue.limits().rate() != null) {
            jdbc.sql(SPEND)
                    .param("queue", queue.id())
                    .param("tokens", allowance.tokens() - begun)
                    .param("at", SqlRows.timestamp(at))
                    .update();
        }
    }

    void running(int queue, int delta) {
        jdbc.sql(RUNNING).param("queue", queue).param("delta", delta).update();
    }

    /** Resets the counters after a change of the limits. The caller holds the queue's row exclusively, so nothing is claimed meanwhile. */
    void reset(int queue) {
        jdbc.sql(RESET).param("queue", queue).update();
    }
}
