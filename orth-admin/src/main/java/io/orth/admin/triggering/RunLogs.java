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

/** Reads what runs have printed, from the executors that keep it. */
public final class RunLogs {

    private final Executors executors;
    private final ExecutorGateway gateway;

    RunLogs(Executors executors, ExecutorGateway gateway) {
        this.executors = executors;
        this.gateway = gateway;
    }

    /** At most {@code maxBytes} from byte {@code from} on; empty for a run that no executor has had. */
    public LogRange read(Run run, long from, int maxBytes) throws InterruptedException {
        if (run.executorId() == null) {
            return new LogRange(false, from, from, 0, "");
        }
        List<Target> targets = executors.targets(List.of(run.executorId()));
        if (targets.isEmpty()) {
            throw OrthException.of(
                    ErrorCode.NOT_FOUND, "the executor that kept this log (%s) is long gone".formatted(run.address()));
        }
        return read(targets.get(0), new LogRangeRequest(run.id(), run.logDateTime(), from, maxBytes));
    }

    private LogRange read(Target target, LogRangeRequest question) throws InterruptedException {
        try {
            return gateway.log(target, question);
        } catch (IOException e) {
            throw OrthException.of(
                    ErrorCode.EXECUTOR_UNREACHABLE,
                    "the log is kept by the executor at %s, which %s".formatted(target.address(), why(target)));
        }
    }

    private static String why(Target target) {
        return target.online() ? "does not answer" : "is offline";
    }
}
