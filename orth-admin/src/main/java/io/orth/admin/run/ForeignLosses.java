package io.orth.admin.run;

import io.orth.admin.kernel.StateChanges;
import io.orth.admin.kernel.Transactions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Fails awaited runs of executors on the XXL-JOB wire whose results will not arrive. These executors cannot be queried about a run, so
 * time decides; a late result corrects the decision.
 */
@Component
public class ForeignLosses {

    private static final String OLD = """
              from orth_executor e
              join orth_run r on r.executor_id = e.id and r.status = 'PENDING'
             where e.kind = 'XXL_JOB'
               and r.status_at < now() - make_interval(secs => :age)
            """;

    private static final LostRuns.Which OF_SILENT =
            LostRuns.Which.of(OLD + " and e.last_beat_at < now() - make_interval(secs => :silence)");

    private static final LostRuns.Which OF_JOB = LostRuns.Which.of(OLD + " and e.id = :executor and r.job_id = :job");

    private static final LostRuns.Which OLDEST = LostRuns.Which.of(OLD);

    private static final String WHERE_AWAITED = "select distinct e.id, r.job_id" + OLD + """
               and not orth_is_gone(e.status)
               and (e.id, r.job_id) > (:executor, :job)
             order by e.id, r.job_id
             limit :limit
            """;

    /** A job on an executor. */
    public record Place(long executorId, int jobId) {

        /** Start of the order. */
        public static final Place FIRST = new Place(0, 0);
    }

    private final JdbcClient jdbc;
    private final LostRuns lost;

    public ForeignLosses(JdbcClient jdbc, StateChanges changes, Transactions transactions) {
        this.jdbc = jdbc;
        this.lost = new LostRuns(jdbc, new RunLifecycle(jdbc, changes), transactions);
    }

    /** Fails runs awaited for {@code age} whose executor has not registered for {@code silence}; returns their number. */
    public int ofSilent(Duration age, Duration silence, String message, int limit) {
        return lost.fail(
                OF_SILENT,
                Map.of("age", RunRepository.seconds(age), "silence", RunRepository.seconds(silence)),
                message,
                limit);
    }

    /** Fails runs of one job on one executor that have been awaited for {@code age}; returns their number. */
    public int at(Place place, Duration age, String message, int limit) {
        return lost.fail(
                OF_JOB,
                Map.of("age", RunRepository.seconds(age), "executor", place.executorId(), "job", place.jobId()),
                message,
                limit);
    }

    /** Fails runs that have been awaited for {@code age}, regardless of their executors' state; returns their number. */
    public int ofAge(Duration age, String message, int limit) {
        return lost.fail(OLDEST, Map.of("age", RunRepository.seconds(age)), message, limit);
    }

    /** Returns the places after {@code after}, in order, where an online executor has had runs awaited for {@code age}. */
    public List<Place> awaited(Duration age, Place after, int limit) {
        return jdbc.sql(WHERE_AWAITED)
                .param("age", RunRepository.seconds(age))
                .param("executor", after.executorId())
                .param("job", after.jobId())
                .param("limit", limit)
                .query((row, n) -> new Place(row.getLong("id"), row.getInt("job_id")))
                .list();
    }
}
