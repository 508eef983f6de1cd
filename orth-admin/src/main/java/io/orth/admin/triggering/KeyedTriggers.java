package io.orth.admin.triggering;

import io.orth.admin.job.Job;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Triggers that callers may repeat safely: a repetition with the same idempotency key within a day creates no further run. */
@Component
public final class KeyedTriggers {

    /** Waits for the same trigger if it is in progress on another node. */
    private static final String BEGIN =
            "insert into orth_push (id, job_id) values (:key, :job) on conflict (id) do nothing";

    private static final String END = "update orth_push set message_ids = array[:run::bigint] where id = :key";

    private static final String ANSWER =
            "select message_ids[1] from orth_push where id = :key and job_id = :job and cardinality(message_ids) = 1";

    private final Triggers triggers;
    private final Runs runs;
    private final JdbcClient jdbc;
    private final Transactions transactions;

    KeyedTriggers(Triggers triggers, Runs runs, JdbcClient jdbc, Transactions transactions) {
        this.triggers = triggers;
        this.runs = runs;
        this.jdbc = jdbc;
        this.transactions = transactions;
    }

    /**
     * Like {@link Triggers#fire}; returns the run's id, or the id of the run created earlier with the same key and parameter.
     *
     * @param key chosen by the caller; null if the caller will not repeat the trigger
     */
    public long fire(String key, Job job, String param, TriggerType type, String traceId) {
        if (key == null) {
            return triggers.fire(job, param, type, traceId).id();
        }
        List<Run> created = transactions.call(() -> begin(key, job) ? make(key, job, param, type, traceId) : List.of());
        triggers.send(created);
        return created.isEmpty() ? answer(key, job, param) : created.get(0).id();
    }

    private boolean begin(String key, Job job) {
        return jdbc.sql(BEGIN).param("key", key).param("job", job.id()).update() > 0;
    }

    private List<Run> make(String key, Job job, String param, TriggerType type, String traceId) {
        List<Run> created = triggers.make(job, param, type, traceId);
        jdbc.sql(END).param("key", key).param("run", created.get(0).id()).update();
        return created;
    }

    private long answer(String key, Job job, String param) {
        Optional<Long> made = jdbc.sql(ANSWER)
                .param("key", key)
                .param("job", job.id())
                .query(Long.class)
                .optional();
        long id = made.orElseThrow(() -> OrthException.of(
                ErrorCode.CONFLICT, "the idempotency key %s was used for another call".formatted(key)));
        if (runs.list(List.of(id)).stream().anyMatch(run -> !isAskedFor(run, job, param))) {
            throw OrthException.of(
                    ErrorCode.CONFLICT,
                    "the idempotency key %s was used with another parameter: it became run %d".formatted(key, id));
        }
        return id;
    }

    /** The job's own parameter at the time is unknown if the job was edited after the run was created. */
    private static boolean isAskedFor(Run run, Job job, String param) {
        return param == null
                ? run.param().equals(job.spec().param()) || job.updatedAt().isAfter(run.createdAt())
                : run.param().equals(param);
    }
}
