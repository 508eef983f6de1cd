package io.orth.admin.triggering;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.protocol.LogRange;
import io.orth.protocol.LogReply;
import io.orth.protocol.LogRequest;
import java.io.IOException;
import java.time.Duration;

/**
 * Logs of executors on the XXL-JOB wire. These executors know lines only and always send all lines from a given one. Positions in such
 * logs therefore count lines instead of bytes.
 */
final class ForeignLogs {

    private final ForeignGateway gateway;
    private final Duration every;
    private final Ticker ticker;

    ForeignLogs(ForeignGateway gateway, Duration every, Ticker ticker) {
        this.gateway = gateway;
        this.every = every;
        this.ticker = ticker;
    }

    /** While the run is unfinished, the last line is omitted: it may be incomplete, and the rest would never be delivered. */
    LogRange read(Target target, Run run, long from, int maxBytes) throws IOException, InterruptedException {
        return lines(target, run, from).range(maxBytes, !run.status().isTerminal());
    }

    /** Returns the log after line {@code from} as it grows, by polling. */
    LiveLog follow(Target target, Run run, long from, int maxBytes) {
        return new PolledLog(after -> lines(target, run, after), from, maxBytes, every, ticker);
    }

    private LogLines lines(Target target, Run run, long from) throws IOException, InterruptedException {
        int line = (int) Math.min(from, Integer.MAX_VALUE - 1) + 1;
        LogReply reply = gateway.log(target, new LogRequest(run.id(), run.logDateTime(), line));
        return LogLines.of(reply, from);
    }
}
