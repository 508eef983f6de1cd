package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Sends one run's log to one watcher as it grows. */
final class LogStream {

    private static final Logger log = LoggerFactory.getLogger(LogStream.class);
    private static final int PIECE = 128 * 1024;
    private static final long LOOK_EVERY_MILLIS = 300;
    private static final long LOOK_EVERY_MILLIS_WHILE_AWAY = 3_000;
    private static final int LOOKS_PER_HEARTBEAT = 30;

    private final Runs runs;
    private final RunLogs logs;
    private final long runId;
    private final SseEmitter emitter;
    private final CountDownLatch closed = new CountDownLatch(1);
    /** The first byte not sent yet; touched by the stream's thread only. */
    private long offset;

    private int quietLooks;

    LogStream(Runs runs, RunLogs logs, long runId, long from, SseEmitter emitter) {
        this.runs = runs;
        this.logs = logs;
        this.runId = runId;
        this.offset = from;
        this.emitter = emitter;
    }

    void close() {
        closed.countDown();
    }

    void follow() {
        try {
            while (look()) {
                // Each look waits for its own time.
            }
            emitter.complete();
        } catch (IOException | IllegalStateException e) {
            log.debug("a log's watcher is gone", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            emitter.complete();
        } catch (RuntimeException e) {
            emitter.completeWithError(e);
        }
    }

    /** Sends what is new; returns whether there may be more. The status is read before the log, so no last line is missed. */
    private boolean look() throws IOException, InterruptedException {
        Run run = runs.get(runId);
        LogRange range;
        try {
            range = logs.read(run, offset, PIECE);
        } catch (OrthException e) {
            emitter.send(SseEmitter.event().name("unavailable").data(Map.of("message", e.getMessage())));
            return !run.status().isTerminal() && !closed.await(LOOK_EVERY_MILLIS_WHILE_AWAY, TimeUnit.MILLISECONDS);
        }
        if (range.to() > offset) {
            send(range);
            return closed.getCount() > 0;
        }
        if (run.status().isTerminal()) {
            emitter.send(SseEmitter.event()
                    .name("end")
                    .data(Map.of("status", run.status().name())));
            return false;
        }
        return waitForMore();
    }

    private void send(LogRange range) throws IOException {
        quietLooks = 0;
        emitter.send(SseEmitter.event()
                .name("log")
                .id(Long.toString(range.to()))
                .data(Map.of("from", range.from(), "to", range.to(), "text", range.text())));
        offset = range.to();
    }

    private boolean waitForMore() throws IOException, InterruptedException {
        if (++quietLooks % LOOKS_PER_HEARTBEAT == 0) {
            emitter.send(SseEmitter.event().comment("still there"));
        }
        return !closed.await(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS);
    }
}
