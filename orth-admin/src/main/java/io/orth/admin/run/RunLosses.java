package io.orth.admin.run;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.RunRepository.Gone;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Awaited runs of online executors: finds the runs to query their executors about, and fails those that the executors do not have. */
@Component
public class RunLosses {

    /** Walks the unfinished runs by id, which is creation order. There is no index on status, so skipped rows count toward the limit. */
    private static final String AWAITED = """
            select r.id,
                   case when r.status = 'PENDING'
                         and r.status_at < now() - make_interval(secs => :age)
                         and (e.last_beat_at > r.status_at
                              or r.status_at < now() - make_interval(secs => e.heartbeat_timeout_ms / 1000.0))
                        then e.id end as executor_id,
                   extract(epoch from now() - r.status_at) * 1000 as age_ms
              from (select id, status, status_at, executor_id
                      from orth_run
                     where id > :after
                       and id < :below
                     order by id
                     limit :limit) r
              left join orth_executor e on e.id = r.executor_id and e.kind = 'ORTH' and not orth_is_gone(e.status)
             order by r.id
            """;

    private static final String LOCK = "select " + Gone.COLUMNS + """

              from orth_run r
             where r.id = any(:ids)
               and r.executor_id = :executor
               and r.status = 'PENDING'
             order by r.id
               for update
            """;

    /** A run whose result has been awaited from an executor for {@code age}. */
    public record Awaited(long runId, long executorId, Duration age) {}

    /**
     * Part of a walk through the unfinished runs.
     *
     * @param next id to continue after; empty after the last part
     */
    public record Part(List<Awaited> runs, OptionalLong next) {}

    private final JdbcClient jdbc;
    private final RunLifecycle lifecycle;
    private final Transactions transactions;
    private final Clock clock;

    public RunLosses(JdbcClient jdbc, StateChanges changes, Transactions transactions, Clock clock) {
        this.jdbc = jdbc;
        this.lifecycle = new RunLifecycle(jdbc, changes);
        this.transactions = transactions;
        this.clock = clock;
    }

    /**
     * Returns runs awaited for longer than {@code age} from online executors of Orth's own kind. Each executor has sent a heartbeat since
     * it accepted the run, or has had the time to.
     *
     * @param after only runs with higher ids
     * @param limit number of unfinished runs examined
     */
    public Part awaited(Duration age, long after, int limit) {
        List<Awaited> found = new ArrayList<>();
        long[] walked = {0, after};
        jdbc.sql(AWAITED)
                .param("age", RunRepository.seconds(age))
                .param("after", after)
                .param("below", RunIdGenerator.lowestIdAt(clock.instant().minus(age)))
                .param("limit", limit)
                .query(row -> {
                    walked[0]++;
                    walked[1] = row.getLong("id");
                    long executor = row.getLong("executor_id");
                    if (!row.wasNull()) {
                        found.add(new Awaited(walked[1], executor, Duration.ofMillis(row.getLong("age_ms"))));
                    }
                });
        return new Part(found, walked[0] < limit ? OptionalLong.empty() : OptionalLong.of(walked[1]));
    }

    /** Fails those of these runs that are still awaited from this executor, with {@code why} in the message. */
    public Set<Long> lose(long executorId, Collection<Long> runIds, String why) {
        return transactions.call(() -> lifecycle.fail(
                jdbc.sql(LOCK)
                        .param("executor", executorId)
                        .param("ids", SqlArrays.bigints(runIds, id -> id))
                        .query(Gone::read)
                        .list(),
                Runs.RESULT_LOST + ": " + why,
                why));
    }
}
