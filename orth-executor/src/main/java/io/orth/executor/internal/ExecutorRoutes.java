package io.orth.executor.internal;

import static java.util.Map.entry;

import io.orth.executor.internal.job.JobThreads;
import io.orth.executor.internal.job.RunMemory;
import io.orth.executor.internal.job.TriggerDesk;
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
import io.orth.protocol.KnownRunsRequest;
import io.orth.protocol.LogRangeRequest;
import io.orth.protocol.LogRequest;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerBatch;
import io.orth.protocol.TriggerBatchReply;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.WireFormatException;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What an executor answers to an admin. */
public final class ExecutorRoutes {

    private static final Logger log = LoggerFactory.getLogger(ExecutorRoutes.class);

    private final String instanceId;
    private final TriggerDesk desk;
    private final JobThreads lanes;
    private final RunMemory memory;
    private final RunLogReader logs;

    public ExecutorRoutes(String instanceId, TriggerDesk desk, JobThreads lanes, RunMemory memory, RunLogReader logs) {
        this.instanceId = instanceId;
        this.desk = desk;
        this.lanes = lanes;
        this.memory = memory;
        this.logs = logs;
    }

    public Routes routes() {
        Route run = served(body -> run(TriggerRequest.from(Json.readObject(body))));
        return new Routes(Map.ofEntries(
                entry(ExecutorPaths.BEAT, new Route(body -> new BeatReply(instanceId), true)),
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
                        served(body -> Reply.ok(known(KnownRunsRequest.from(Json.readObject(body))))))));
    }

    private static Route served(Routes.Handler handler) {
        return new Route(handler, false);
    }

    private Reply run(TriggerRequest trigger) {
        return desk.accept(trigger).map(Reply::fail).orElseGet(Reply::ok);
    }

    private TriggerBatchReply run(TriggerBatch batch) {
        return new TriggerBatchReply(
                instanceId, batch.triggers().stream().map(this::outcomeOf).toList());
    }

    /**
     * A trigger that is bad or cannot be taken is refused by itself. Were the whole batch to fail with it, its neighbours, which
     * may be queued already, would be sent to another executor as well.
     */
    private TriggerBatchReply.Outcome outcomeOf(TriggerRequest trigger) {
        Optional<String> refusal;
        try {
            refusal = desk.accept(trigger);
        } catch (WireFormatException e) {
            refusal = Optional.of(e.getMessage());
        } catch (RuntimeException | OutOfMemoryError | StackOverflowError e) {
            log.atError().setCause(e).addKeyValue("runId", trigger.logId()).log("a trigger could not be taken");
            refusal = Optional.of("the executor could not take the trigger: " + e);
        }
        int refused = desk.isClosed() ? Codes.UNAVAILABLE : Codes.FAIL;
        return new TriggerBatchReply.Outcome(
                trigger.logId(), refusal.isEmpty() ? Codes.SUCCESS : refused, refusal.orElse(null));
    }

    private Reply idleBeat(JobRequest request) {
        return lanes.isIdle(request.jobId()) ? Reply.ok() : Reply.fail("job thread is running or has trigger queue.");
    }

    private Reply kill(JobRequest request) {
        boolean wasActive = lanes.kill(request.jobId(), "scheduling center kill job.");
        return new Reply(Codes.SUCCESS, wasActive ? null : "job thread already killed.", null);
    }

    private KnownRuns kill(KillRequest request) {
        KnownRuns before = new KnownRuns(instanceId, memory.known(request.logIds()));
        lanes.killRuns(request.logIds(), request.reason());
        return before;
    }

    private KnownRuns known(KnownRunsRequest request) {
        return new KnownRuns(instanceId, memory.known(request.logIds()));
    }
}
