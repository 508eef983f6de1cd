package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.LiveLog;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Live log of one run for one client. While the run is running, the executor streams new text; if it does not, it is polled. In both cases
 * the log is read to its end only after the run's final status is known.
 */
final class LogStream extends LiveStream {

    private static final Logger log = LoggerFactory.getLogger(LogStream.class);
    private static final int PIECE = 128 * 1024;
    private static final long LOOK_EVERY_MILLIS_WHILE_AWAY = 3_000;

    /** Number of looks before a rejected or broken stream is opened again. */
    private static final int LOOKS_PER_TRY = 30;

    /** Timeout of one wait for the executor's stream; the run's status is checked after each wait. */
    private static final Duration LIVE_PATIENCE = Duration.ofSeconds(1);

    private static final int WAITS_PER_HEARTBEAT = 9;

    /** Waits without text after which the stream counts as dead: an executor sends a keep-alive every ten seconds. */
    private static final int WAITS_UNTIL_DEAD = 30;

    /**
     * Chunk of a log.
     *
     * @param progress the run's reported progress in percent; null if it reports none
     * @param zone id of the time zone of the times in the log; null if the executor does not report one
     */
    record Piece(long from, long to, String text, Integer progress, String zone) {}

    private final Runs runs;
    private final RunLogs logs;
    private final long runId;
    /** First byte that was not sent yet. Accessed by the stream's thread only. */
    private long offset;

    private int looksUntilTry;
    private boolean endedOnExecutor;
    private String zone;

    LogStream(Runs runs, RunLogs logs, long runId, long from, EventChannel channel) {
        super(channel);
        this.runs = runs;
        this.logs = logs;
        this.runId = runId;
        this.offset = from;
    }

    /** Returns whether there may be more. The status is read before the log, so that the last lines are not missed. */
    @Override
    boolean look() throws IOException, InterruptedException {
        Run run = runs.get(runId);
        LogRange range;
        try {
            range = logs.read(run, offset, PIECE);
        } catch (OrthException e) {
            looksUntilTry = 0;
            channel.send(channel.event("unavailable").data(Map.of("message", e.getMessage())));
            return !run.status().isTerminal() && rest(LOOK_EVERY_MILLIS_WHILE_AWAY);
        }
        if (send(run, range)) {
            return isOpen();
        }
        if (run.status().isTerminal()) {
            channel.send(channel.event("end").data(Map.of("status", run.status().name())));
            return false;
        }
        if (!endedOnExecutor && --looksUntilTry < 0) {
            followLive(run);
        }
        if (isHeartbeatDue()) {
            channel.heartbeat();
        }
        return rest(LOOK_EVERY_MILLIS);
    }

    /** Forwards the executor's stream until the stream ends, the run finishes by other means, or the client disconnects. */
    private void followLive(Run run) throws IOException, InterruptedException {
        looksUntilTry = LOOKS_PER_TRY;
        Optional<LiveLog> stream = logs.follow(run, offset, PIECE);
        if (stream.isEmpty()) {
            return;
        }
        try (LiveLog live = stream.get()) {
            int waits = 0;
            while (isOpen() && waits < WAITS_UNTIL_DEAD) {
                Optional<LogRange> piece;
                try {
                    piece = live.next(LIVE_PATIENCE);
                } catch (IOException e) {
                    log.atDebug().setCause(e).addKeyValue("runId", runId).log("the stream of a log broke");
                    return;
                }
                if (piece.isEmpty()) {
                    waits++;
                    if (endsWhileQuiet(waits)) {
                        return;
                    }
                } else if (piece.get().end()) {
                    endedOnExecutor = true;
                    return;
                } else {
                    waits = 0;
                    send(run, piece.get());
                }
            }
        }
    }

    private boolean endsWhileQuiet(int waits) throws IOException {
        if (waits % WAITS_PER_HEARTBEAT == 0) {
            channel.heartbeat();
        }
        return runs.get(runId).status().isTerminal();
    }

    /** Returns whether the range had new text. */
    private boolean send(Run run, LogRange range) throws IOException {
        if (range.to() <= offset) {
            return false;
        }
        sent();
        if (zone == null) {
            zone = logs.zone(run);
        }
        channel.send(channel.event("log", Long.toString(range.to()))
                .data(new Piece(range.from(), range.to(), range.text(), range.progress(), zone)));
        offset = range.to();
        return true;
    }
}
