package io.orth.admin.triggering;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogRangeRequest;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/** Reads the logs of runs from the executors that keep them. */
@Component
public final class RunLogs {

    private static final Logger log = LoggerFactory.getLogger(RunLogs.class);

    private final Executors executors;
    private final ExecutorGateway gateway;
    private final ForeignLogs foreign;

    RunLogs(Executors executors, ExecutorGateway gateway, ForeignLogs foreign) {
        this.executors = executors;
        this.gateway = gateway;
        this.foreign = foreign;
    }

    /**
     * Returns at most {@code maxBytes} from byte {@code from} on; empty for a run that no executor has had. For executors on the XXL-JOB
     * wire positions are lines: returns the lines after line {@code from}.
     */
    public LogRange read(Run run, long from, int maxBytes) throws InterruptedException {
        if (run.executorId() == null) {
            return new LogRange(false, from, from, 0, "");
        }
        Target target = find(run.executorId())
                .orElseThrow(() -> OrthException.of(
                        ErrorCode.NOT_FOUND,
                        "the executor that kept this log (%s) is long gone".formatted(run.address())));
        try {
            return target.isForeign()
                    ? foreign.read(target, run, from, maxBytes)
                    : gateway.log(target, question(run, from, maxBytes));
        } catch (IOException e) {
            throw unreachable(target);
        }
    }

    private Optional<Target> find(long executorId) {
        return executors.targets(List.of(executorId)).stream().findFirst();
    }

    /** Returns the id of the time zone of the timestamps in the run's log; null if its executor did not report one or is not known. */
    public String zone(Run run) {
        return run.executorId() == null ? null : zone(run.executorId());
    }

    /** Returns the time zone id for all logs of an executor; nullable like {@link #zone(Run)}. */
    public String zone(long executorId) {
        return executors.zone(executorId).orElse(null);
    }

    /** Returns at most {@code maxBytes} of a log kept by one of Orth's own executors, from the requested byte on. */
    public LogRange read(long executorId, LogRangeRequest question) throws InterruptedException {
        Target target = find(executorId)
                .orElseThrow(
                        () -> OrthException.of(ErrorCode.NOT_FOUND, "the executor that kept this log is long gone"));
        try {
            return gateway.log(target, question);
        } catch (IOException e) {
            throw unreachable(target);
        }
    }

    /**
     * Returns the log from byte {@code from} on as it grows, in chunks of at most {@code maxBytes}. Empty if its executor cannot stream
     * it now; the log can then only be polled.
     */
    public Optional<LiveLog> follow(Run run, long from, int maxBytes) throws InterruptedException {
        Target target = run.executorId() == null ? null : find(run.executorId()).orElse(null);
        if (target == null) {
            return Optional.empty();
        }
        if (target.isForeign()) {
            return Optional.of(foreign.follow(target, run, from, maxBytes));
        }
        try {
            return Optional.of(gateway.follow(target, question(run, from, maxBytes)));
        } catch (IOException e) {
            log.atDebug().setCause(e).addKeyValue("runId", run.id()).log("a log is not streamed");
            return Optional.empty();
        }
    }

    private static LogRangeRequest question(Run run, long from, int maxBytes) {
        return new LogRangeRequest(run.id(), run.logDateTime(), from, maxBytes);
    }

    private static OrthException unreachable(Target target) {
        return OrthException.of(
                ErrorCode.EXECUTOR_UNREACHABLE,
                "the log is kept by the executor at %s, which %s"
                        .formatted(target.address(), target.online() ? "does not answer" : "is offline"));
    }
}
