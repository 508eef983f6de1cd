package io.orth.admin.queue;

import io.orth.admin.kernel.SqlRows;
import io.orth.admin.queue.QueueDriver.InFlight;
import io.orth.admin.queue.QueueDriver.InFlightPart;
import io.orth.admin.queue.QueueDriver.Place;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * SQL that reads messages in flight. There is no index on {@code status}, because every claim would have to maintain it. Claims take the
 * first messages of a priority, so messages in flight are at its front and a read can stop early.
 */
@Component
final class InFlightRepository {

    private static final String QUEUES = """
            select q.name
              from orth_queue q
             where exists (select
                             from orth_queue_worker w
                             join orth_executor e on e.id = w.executor_id and not orth_is_gone(e.status)
                            where w.queue_id = q.id)
             order by q.id
            """;

    private static final String PART = """
            select m.id, m.lane, m.due_at, m.status = 'RUNNING' as in_flight, m.log_id, e.id as executor_id,
                   extract(epoch from now() - m.status_at) * 1000 as age_ms
              from (select lane, case when lane = :lane then :dueAt else '-infinity' end as due_at,
                           case when lane = :lane then :id else 0 end as id
                      from (values (0), (1), (2), (3)) as every(lane)
                     where lane >= :lane) as l
             cross join lateral (select id, lane, due_at, status, status_at, log_id, executor_id
                                   from orth_message
                                  where queue_id = :queue
                                    and lane = l.lane
                                    and not blocked
                                    and (due_at, id) > (l.due_at, l.id)
                                  order by due_at, id
                                  limit :limit) m
              left join orth_executor e
                on e.id = m.executor_id
               and e.kind = 'ORTH'
               and not orth_is_gone(e.status)
               and (e.last_beat_at > m.status_at
                    or m.status_at < now() - make_interval(secs => e.heartbeat_timeout_ms / 1000.0))
               and m.status_at < now() - make_interval(secs => :age)
             order by m.lane, m.due_at, m.id
            """;

    /** @param executorId null if the message waits or its executor must not be asked about it */
    private record Row(long id, int lane, Instant dueAt, boolean inFlight, long logId, Long executorId, Duration age) {}

    private final JdbcClient jdbc;

    InFlightRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the names of queues that online executors work on. */
    List<String> queues() {
        return jdbc.sql(QUEUES).query(String.class).list();
    }

    InFlightPart part(Queue queue, Place from, Duration age, int limit) {
        List<Row> rows = jdbc.sql(PART)
                .param("queue", queue.id())
                .param("lane", from.lane())
                .param("dueAt", SqlRows.timestamp(from.dueAt()))
                .param("id", from.id())
                .param("age", age.toMillis() / 1000.0)
                .param("limit", limit)
                .query((row, n) -> row(row))
                .list();
        List<InFlight> found = new ArrayList<>();
        int lane = -1;
        int read = 0;
        boolean anyInFlight = false;
        for (Row row : rows) {
            boolean sameLane = row.lane() == lane;
            lane = row.lane();
            read = sameLane ? read + 1 : 1;
            anyInFlight = row.inFlight() || (sameLane && anyInFlight);
            if (row.executorId() != null) {
                found.add(new InFlight(queue.name(), row.id(), row.executorId(), row.logId(), row.age()));
            }
            if (read == limit && anyInFlight) {
                // Rows of later priorities are dropped and read again by a later part. This is rare.
                return new InFlightPart(found, rows.size(), Optional.of(new Place(lane, row.dueAt(), row.id())));
            }
        }
        return new InFlightPart(found, rows.size(), Optional.empty());
    }

    private static Row row(ResultSet row) throws SQLException {
        return new Row(
                row.getLong("id"),
                row.getInt("lane"),
                SqlRows.instant(row, "due_at"),
                row.getBoolean("in_flight"),
                row.getLong("log_id"),
                SqlRows.longOrNull(row, "executor_id"),
                Duration.ofMillis(row.getLong("age_ms")));
    }
}
