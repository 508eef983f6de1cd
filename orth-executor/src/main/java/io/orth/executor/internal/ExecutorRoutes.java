package io.orth.executor.internal;

import static java.util.Map.entry;

import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.TriggerDesk;
import io.orth.executor.internal.job.TriggerDesk.BusyException;
import io.orth.executor.internal.job.TriggerDesk.UnavailableException;
import io.orth.executor.internal.log.RunLogReader;
import io.orth.executor.internal.transport.Routes;
import io.orth.executor.internal.transport.Routes.Route;
import io.orth.protocol.BeatReply;
import io.orth.protocol.Codes;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.JobRequest;
import io.orth.protocol.Json;
import io.orth.protocol.KillRequest;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerBatchReply.Outcome;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The requests that an executor serves to admins. */
public final class ExecutorRoutes {

    private static final Logger log = LoggerFactory.getLogger(ExecutorRoutes.class);

    private final String instanceId;
    private final TriggerDesk desk;
    private final JobThreads lanes;
    private final RunMemory memory;
    private final RunLogReader logs;
    private final UnsentResults unsent;

    public ExecutorRoutes(
            String instanceId,
            TriggerDesk desk,
            JobThreads lanes,
            RunMemory memory,
            RunLogReader logs,
            UnsentResults unsent) {
        this.instanceId = instanceId;
        this.desk = desk;
        this.lanes = lanes;
        this.memory = memory;
        this.logs = logs;
        this.unsent = unsent;
    }

    /** @param drain starts draining and returns immediately */
    public Routes routes(Runnable drain) {
        Route run = served(body -> run(TriggerRequest.from(Json.readObject(body))));
        return new Routes(Map.ofEntries(
                entry(ExecutorPaths.BEAT, new Route(body -> new BeatReply(instanceId), true)),
                entry(ExecutorPaths.DRAIN, served(body -> drain(body, drain))),
                entry(ExecutorPaths.IDLE_BEAT, served(body -> idleBeat(JobRequest.from(Json.readObject(body))))),
                entry(ExecutorPaths.RUN, run),
                entry(ExecutorPaths.TRIGGER, run),
                entry(ExecutorPaths.RUN_BATCH, served(body -> Reply.ok(run(TriggerBatch.from(Json.readObject(body)))))),
                entry(ExecutorPaths.KILL, served(body -> kill(JobRequest.from(Json.readObject(body))))),
                entry(ExecutorPaths.KILL_RUNS, served(body -> Reply.ok(kill(KillRequest.from(Json.readObject(body)))))),
                entry(ExecutorPaths.LOG, served(body -> Reply.ok(logs.read(LogRequest.from(Json.readObject(body)))))),
                entry(
                        ExecutorPaths.LOG_RANGE,
                        served(body -> Reply.ok(logs.read(LogRangeRequest.from(Json.readObject(body)))))),
                entry(
                        ExecutorPaths.KNOWN_RUNS,
                        served(body -> Reply.ok(known(
                                KnownRunsRequest.from(Json.readObject(body)).logIds()))))));
    }

    private static Route served(Routes.Handler handler) {
        return new Route(handler, false);
    }

    private Reply run(TriggerRequest trigger) {
        try {
            return desk.accept(trigger).map(Reply::fail).orElseGet(Reply::ok);
        } catch (UnavailableException | BusyException e) {
            return Reply.fail(e.getMessage());
        }
    }

    /** Starts draining. A request may name the intended instance, because an admin may not know yet that another one runs here now. */
    private Reply drain(byte[] body, Runnable drain) {
        String meant = body.length == 0 ? null : Json.readObject(body).text("instanceId");
        if (meant != null && !meant.equals(instanceId)) {
            return Reply.fail("this is instance %s, not %s".formatted(instanceId, meant));
        }
        drain.run();
        return Reply.ok();
    }

    private TriggerBatchReply run(TriggerBatch batch) {
        return new TriggerBatchReply(
                instanceId, batch.triggers().stream().map(this::outcomeOf).toList());
    }

    /**
     * Handles one trigger of a batch. An invalid or rejected trigger fails alone. If the whole batch failed, triggers that are
     * already queued would be dispatched to another executor as well.
     */
    private Outcome outcomeOf(TriggerRequest trigger) {
        try {
            return desk.accept(trigger)
                    .map(refusal -> new Outcome(trigger.logId(), Codes.FAIL, refusal))
                    .orElseGet(() -> new Outcome(trigger.logId(), Codes.SUCCESS, null));
        } catch (UnavailableException e) {
            return new Outcome(trigger.logId(), Codes.UNAVAILABLE, e.getMessage());
        } catch (BusyException e) {
            return new Outcome(trigger.logId(), Codes.BUSY, e.getMessage());
        } catch (WireFormatException e) {
            return new Outcome(trigger.logId(), Codes.FAIL, e.getMessage());
        } catch (Throwable e) {
            log.atError().setCause(e).addKeyValue("runId", trigger.logId()).log("a trigger could not be taken");
            return new Outcome(trigger.logId(), Codes.FAIL, "the executor could not take the trigger: " + e);
        }
    }

    private Reply idleBeat(JobRequest request) {
        return lanes.isIdle(request.jobId()) ? Reply.ok() : Reply.fail("job thread is running or has trigger queue.");
    }

    private Reply kill(JobRequest request) {
        boolean wasActive = lanes.kill(request.jobId(), "scheduling center kill job.");
        return new Reply(Codes.SUCCESS, wasActive ? null : "job thread already killed.", null);
    }

    private KnownRuns kill(KillRequest request) {
        KnownRuns before = known(request.logIds());
        lanes.killRuns(request.logIds(), request.reason());
        return before;
    }

    /**
     * Returns the known runs. The memory is read first: a result is handed over before its run counts as finished, so an admin
     * has confirmed a finished run without an unsent result.
     */
    private KnownRuns known(List<Long> logIds) {
        List<Known> remembered = memory.known(logIds);
        Set<Long> undelivered = unsent.ofMessages(logIds);
        List<Known> known = new ArrayList<>(remembered.size());
        for (Known run : remembered) {
            boolean isUnsent = undelivered.remove(run.logId()) && run.state() == State.FINISHED;
            known.add(isUnsent ? run.asUnsent() : run);
        }
        undelivered.forEach(logId -> known.add(new Known(logId, State.FINISHED).asUnsent()));
        return new KnownRuns(instanceId, known, unsent.ofRuns());
    }
}
