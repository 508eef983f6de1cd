package io.orth.admin.triggering;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import io.orth.admin.run.TurnSignal;
import io.orth.admin.triggering.routing.Broadcasts;
import java.util.Collection;
import java.util.List;
import org.springframework.stereotype.Component;

/** Creates runs and dispatches them. */
@Component
public final class Triggers {

    private final Runs runs;
    private final Broadcasts broadcasts;
    private final TriggerDispatcher dispatcher;
    private final TurnSignal turns;
    private final TriggeringProperties properties;

    Triggers(
            Runs runs,
            Broadcasts broadcasts,
            TriggerDispatcher dispatcher,
            TurnSignal turns,
            TriggeringProperties properties) {
        this.runs = runs;
        this.broadcasts = broadcasts;
        this.dispatcher = dispatcher;
        this.turns = turns;
        this.properties = properties;
    }

    /**
     * Runs {@code job} once, now, with {@code param}, or with the job's own parameter if null. Returns the run; for a broadcast, its
     * first run.
     */
    public Run fire(Job job, String param, TriggerType type, String traceId) {
        List<Run> created = make(job, param, type, traceId);
        send(created);
        return created.get(0);
    }

    /** Creates the runs of {@link #fire}, to be passed to {@link #send} soon. Joins the caller's transaction. */
    List<Run> make(Job job, String param, TriggerType type, String traceId) {
        String actual = param == null ? job.spec().param() : param;
        JobSpec.checkParam(actual).ifPresent(error -> {
            throw OrthException.invalid(List.of(error));
        });
        return create(List.of(NewRun.of(job, actual, type, null, traceId)));
    }

    /**
     * Creates runs, {@link #expand expanded} or not, to be passed to {@link #send} soon. Joins the caller's transaction. A fire time that
     * already has its run is skipped.
     */
    public List<Run> create(List<NewRun> wanted) {
        return runs.create(expand(wanted), properties.claim());
    }

    /** Expands each broadcast to one run per online executor, by shard; runs that are shards already stay unchanged. */
    public List<NewRun> expand(List<NewRun> wanted) {
        return broadcasts.expand(wanted);
    }

    /** Dispatches runs created by {@link #create}, those that await their turn once it has come. Returns immediately. */
    public void send(Collection<Run> created) {
        dispatcher.submit(created.stream().filter(run -> !run.awaitsTurn()).toList());
        turns.made(created);
    }
}
