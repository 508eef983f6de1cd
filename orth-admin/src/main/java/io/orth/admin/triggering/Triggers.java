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

/** Makes runs and sends them. */
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
     * Runs {@code job} now, once, with {@code param} or, where that is null, with the job's own; returns the run, of a
     * broadcast the first one.
     */
    public Run fire(Job job, String param, TriggerType type, String traceId) {
        List<Run> created = make(job, param, type, traceId);
        send(created);
        return created.get(0);
    }

    /** The runs of {@link #fire}, to be passed to {@link #send} soon; joins the caller's transaction. */
    List<Run> make(Job job, String param, TriggerType type, String traceId) {
        String actual = param == null ? job.spec().param() : param;
        JobSpec.checkParam(actual).ifPresent(error -> {
            throw OrthException.invalid(List.of(error));
        });
        return create(List.of(NewRun.of(job, actual, type, null, traceId)));
    }

    /**
     * Makes runs, {@link #expand expanded} or not, to be passed to {@link #send} soon; joins the caller's transaction. An
     * instant that has its run already is passed over.
     */
    public List<Run> create(List<NewRun> wanted) {
        return runs.create(expand(wanted), properties.claim());
    }

    /** A broadcast becomes one run for each executor that is online, by shard; what is one already stays as it is. */
    public List<NewRun> expand(List<NewRun> wanted) {
        return broadcasts.expand(wanted);
    }

    /** Sends runs made by {@link #create}, those that await their turn when it has come; returns at once. */
    public void send(Collection<Run> created) {
        dispatcher.submit(created.stream().filter(run -> !run.awaitsTurn()).toList());
        turns.made(created);
    }
}
