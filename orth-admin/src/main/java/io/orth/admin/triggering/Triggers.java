package io.orth.admin.triggering;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobSpec;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.NewRun;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.run.TriggerType;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Makes runs and sends them. */
public final class Triggers {

    private final Runs runs;
    private final TriggerDispatcher dispatcher;
    private final Duration claim;

    Triggers(Runs runs, TriggerDispatcher dispatcher, Duration claim) {
        this.runs = runs;
        this.dispatcher = dispatcher;
        this.claim = claim;
    }

    /** Runs {@code job} now, once, with {@code param} or, where that is null, with the job's own. */
    public Run fire(Job job, String param, TriggerType type, String traceId) {
        String actual = param == null ? job.spec().param() : param;
        JobSpec.checkParam(actual).ifPresent(error -> {
            throw OrthException.invalid(List.of(error));
        });
        List<Run> created = runs.create(List.of(NewRun.of(job, actual, type, null, traceId)), claim);
        send(created);
        return created.get(0);
    }

    /** How long whoever makes runs may take to pass them to {@link #send}. */
    public Duration claim() {
        return claim;
    }

    /** Sends runs made under {@link #claim}; returns at once. */
    public void send(Collection<Run> created) {
        dispatcher.submit(created);
    }
}
