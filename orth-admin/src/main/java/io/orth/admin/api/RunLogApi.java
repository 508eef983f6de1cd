package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.Run;
import io.orth.admin.run.Runs;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.triggering.RunLogs;
import io.orth.protocol.LogRange;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Endpoints for run logs, in chunks or as a live stream. */
@RestController
@RequestMapping("/api/runs/{id}/log")
class RunLogApi {

    private static final int LARGEST_PIECE = 1_000_000;

    private final Runs runs;
    private final RunLogs logs;
    private final LogStreams streams;

    RunLogApi(Runs runs, RunLogs logs, LogStreams streams) {
        this.runs = runs;
        this.logs = logs;
        this.streams = streams;
    }

    /**
     * Chunk of a log.
     *
     * @param range its {@code end} is true if the run has finished and no text follows this chunk
     * @param zone id of the time zone of the times in the log; null if the executor does not report one
     */
    record LogView(@JsonUnwrapped LogRange range, String zone) {}

    /**
     * Returns at most {@code limit} bytes from byte {@code from}, never cut inside a character. For XXL-JOB executors the text consists of
     * whole lines, and {@code from}, {@code to} and {@code size} count lines.
     */
    @GetMapping
    @Access(Role.VIEWER)
    LogView read(
            @PathVariable String id,
            @RequestParam(defaultValue = "0") String from,
            @RequestParam(defaultValue = "65536") String limit)
            throws InterruptedException {
        int piece = piece(limit);
        long offset = Ids.parseLong("from", from);
        Run run = runs.get(Ids.parseLong("id", id));
        LogRange range = logs.read(run, offset, piece);
        boolean end = run.status().isTerminal() && range.to() >= range.size();
        return new LogView(end ? range.asEnd() : range, logs.zone(run));
    }

    /** Parses the maximum number of bytes. */
    static int piece(String limit) {
        int piece = Ids.parseInt("limit", limit);
        if (piece < 4 || piece > LARGEST_PIECE) {
            throw OrthException.invalid("limit", "must be a number from 4 to " + LARGEST_PIECE);
        }
        return piece;
    }

    /**
     * Streams server-sent events: {@code log} with text, the run's progress, the time zone of the text and, as its id, the byte that
     * follows the text; {@code end} when the run has finished and everything is sent; {@code unavailable} while the executor cannot be
     * asked. A {@code Last-Event-ID} resumes from that byte.
     */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Access(Role.VIEWER)
    SseEmitter stream(
            @PathVariable String id, @RequestParam(defaultValue = "0") String from, HttpServletRequest request) {
        return opening(id, from, request.getHeader("Last-Event-ID")).alone();
    }

    /** @param lastEventId null or blank if the client has none */
    StreamOpening opening(String id, String from, String lastEventId) {
        long offset = Ids.parseLong("from", lastEventId == null || lastEventId.isBlank() ? from : lastEventId);
        return streams.opening(runs.get(Ids.parseLong("id", id)).id(), offset);
    }
}
