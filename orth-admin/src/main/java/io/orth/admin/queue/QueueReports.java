package io.orth.admin.queue;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Statistics of queues. No query counts messages: transactions insert tallies, which are folded here. */
@Component
public final class QueueReports {

    private static final String FOLD = """
            with taken as (
                delete from orth_queue_tally
                 where ctid = any(array(select ctid from orth_queue_tally limit :limit for update skip locked))
                returning *
            ), known as (
                select t.* from taken t join orth_queue q on q.id = t.queue_id
            ), folded as (
                insert into orth_queue_report as r (queue_id, minute, pushed, claimed, put_back, done, failed, dead, discarded, dropped,
                                                    revived, wait_millis, run_millis)
                select queue_id, minute, sum(pushed), sum(claimed), sum(put_back), sum(done), sum(failed), sum(dead), sum(discarded),
                       sum(dropped), sum(revived), sum(wait_millis), sum(run_millis)
                  from known
                 group by queue_id, minute
                 order by queue_id, minute
                on conflict (queue_id, minute) do update
                   set pushed = r.pushed + excluded.pushed, claimed = r.claimed + excluded.claimed,
                       put_back = r.put_back + excluded.put_back, done = r.done + excluded.done,
                       failed = r.failed + excluded.failed, dead = r.dead + excluded.dead,
                       discarded = r.discarded + excluded.discarded, dropped = r.dropped + excluded.dropped,
                       revived = r.revived + excluded.revived, wait_millis = r.wait_millis + excluded.wait_millis,
                       run_millis = r.run_millis + excluded.run_millis
            ), summed as (
                insert into orth_queue_total as s (queue_id, open, running, dead)
                select queue_id, sum(pushed + revived - done - dead - discarded), sum(claimed - put_back - done - dead),
                       sum(dead - revived - dropped)
                  from known
                 group by queue_id
                 order by queue_id
                on conflict (queue_id) do update
                   set open = s.open + excluded.open, running = s.running + excluded.running, dead = s.dead + excluded.dead
            )
            select count(*) from taken
            """;

    /** Includes tallies that are not folded yet. */
    private static final String FIGURES = """
            with fresh as (
                select queue_id, sum(pushed + revived - done - dead - discarded) as open, sum(claimed - put_back - done - dead) as running,
                       sum(dead - revived - dropped) as dead
                  from orth_queue_tally
                 group by queue_id
            ), lately as (
                select queue_id, sum(pushed) as pushed, sum(claimed) as claimed, sum(done) as done, sum(failed) as failed,
                       sum(dead) as dead, sum(wait_millis) as wait_millis, sum(run_millis) as run_millis
                  from (select queue_id, minute, pushed, claimed, done, failed, dead, wait_millis, run_millis from orth_queue_report
                        union all
                        select queue_id, minute, pushed, claimed, done, failed, dead, wait_millis, run_millis from orth_queue_tally) noted
                 where minute >= :since
                 group by queue_id
            ), working as (
                select w.queue_id, count(distinct w.executor_id) as workers
                  from orth_queue_worker w
                  join orth_executor e on e.id = w.executor_id and not orth_is_gone(e.status) and not e.draining
                 group by w.queue_id
            )
            select q.id, coalesce(s.open, 0) + coalesce(f.open, 0) as open, coalesce(s.running, 0) + coalesce(f.running, 0) as running,
                   coalesce(s.dead, 0) + coalesce(f.dead, 0) as dead, coalesce(w.workers, 0) as workers, l.pushed, l.claimed, l.done,
                   l.failed, l.dead as died, l.wait_millis, l.run_millis,
                   (select min(first.due_at)
                      from (values (0), (1), (2), (3)) as n(lane)
                     cross join lateral (select m.due_at
                                           from orth_message m
                                          where m.queue_id = q.id
                                            and m.lane = n.lane
                                            and not m.blocked
                                            and m.status = 'WAITING'
                                          order by m.due_at, m.id
                                          limit 1) first) as next_due
              from orth_queue q
              left join orth_queue_total s on s.queue_id = q.id
              left join fresh f on f.queue_id = q.id
              left join lately l on l.queue_id = q.id
              left join working w on w.queue_id = q.id
             where q.id = any(:queues)
            """;

    private static final String BY_MINUTE = """
            select minute, sum(pushed) as pushed, sum(claimed) as claimed, sum(done) as done, sum(failed) as failed,
                   sum(dead) as dead, sum(wait_millis) as wait_millis, sum(run_millis) as run_millis
              from (select queue_id, minute, pushed, claimed, done, failed, dead, wait_millis, run_millis from orth_queue_report
                    union all
                    select queue_id, minute, pushed, claimed, done, failed, dead, wait_millis, run_millis from orth_queue_tally) noted
             where queue_id = :queue
               and minute >= :from
               and minute < :to
             group by minute
             order by minute
            """;

    private static final String PRUNE = """
            delete from orth_queue_report
             where ctid = any(array(select ctid from orth_queue_report where minute < :before order by minute limit :limit))
            """;

    /** Activity in a period. Wait time and run time are averages in milliseconds; null if there are none. */
    public record Activity(
            long pushed, long claimed, long done, long failed, long dead, Long waitMillis, Long runMillis) {}

    /** Activity in one minute. */
    public record Minute(Instant minute, @JsonUnwrapped Activity activity) {}

    /**
     * Statistics of a queue.
     *
     * @param nextDue when its first waiting message is or was due; null if there is none
     * @param lately activity in the period {@code latelyFor}
     */
    public record Figures(
            long waiting,
            long running,
            long dead,
            int workers,
            Instant nextDue,
            @JsonIgnore Activity lately,
            @JsonIgnore Duration latelyFor) {

        /** Returns how long the first waiting message has been due; zero if none is due. */
        public Duration dueFor(Instant now) {
            return nextDue == null || nextDue.isAfter(now) ? Duration.ZERO : Duration.between(nextDue, now);
        }
    }

    private final JdbcClient jdbc;

    QueueReports(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns statistics by queue id. The period {@code lately} starts at a full minute, so it may be longer. */
    public Map<Integer, Figures> figures(Collection<Queue> queues, Instant now, Duration lately) {
        Instant since = now.minus(lately).truncatedTo(ChronoUnit.MINUTES);
        return SqlRows.byId(
                jdbc.sql(FIGURES)
                        .param("queues", SqlArrays.integers(queues, Queue::id))
                        .param("since", SqlRows.timestamp(since)),
                Integer.class,
                (row, n) -> figures(row, Duration.between(since, now)));
    }

    private static Figures figures(ResultSet row, Duration lately) throws SQLException {
        long running = row.getLong("running");
        return new Figures(
                Math.max(0, row.getLong("open") - running),
                running,
                row.getLong("dead"),
                row.getInt("workers"),
                SqlRows.instant(row, "next_due"),
                activity(row, "died"),
                lately);
    }

    private static Activity activity(ResultSet row, String dead) throws SQLException {
        long claimed = row.getLong("claimed");
        long done = row.getLong("done");
        long failed = row.getLong("failed");
        return new Activity(
                row.getLong("pushed"),
                claimed,
                done,
                failed,
                row.getLong(dead),
                average(row.getLong("wait_millis"), claimed),
                average(row.getLong("run_millis"), done + failed));
    }

    private static Long average(long millis, long count) {
        return count == 0 ? null : millis / count;
    }

    /** Returns the activity of a queue per minute. Omits minutes without activity. */
    public List<Minute> byMinute(Queue queue, Instant from, Instant to) {
        return jdbc.sql(BY_MINUTE)
                .param("queue", queue.id())
                .param("from", SqlRows.timestamp(from))
                .param("to", SqlRows.timestamp(to))
                .query((row, n) -> new Minute(SqlRows.instant(row, "minute"), activity(row, "dead")))
                .list();
    }

    /** Folds up to {@code limit} tallies into the report. Callers own the transaction. */
    int fold(int limit) {
        return jdbc.sql(FOLD).param("limit", limit).query(Integer.class).single();
    }

    int prune(Instant before, int limit) {
        return jdbc.sql(PRUNE)
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
