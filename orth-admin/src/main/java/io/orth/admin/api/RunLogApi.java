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

/** What runs have printed: a piece at a time, or as it comes. */
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
     * A piece of a log.
     *
     * @param range its {@code end} is whether the run has ended and nothing follows this piece
     * @param zone the id of the time zone that the times in it are in; null where the executor does not say
     */
    record LogView(@JsonUnwrapped LogRange range, String zone) {}

    /**
     * At most {@code limit} bytes from byte {@code from} on, never cut inside a character. From an executor that speaks XXL-JOB's
     * wire these are whole lines, and {@code from}, {@code to} and {@code size} count lines.
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

    /** How many bytes are asked for. */
    static int piece(String limit) {
        int piece = Ids.parseInt("limit", limit);
        if (piece < 4 || piece > LARGEST_PIECE) {
            throw OrthException.invalid("limit", "must be a number from 4 to " + LARGEST_PIECE);
        }
        return piece;
    }

    /**
     * Server-sent events: {@code log} with the text, how far the run says it is, the time zone of the text and, as its id, the byte that follows the text;
     * {@code end} when the run has ended and all is sent; {@code unavailable} while the executor cannot be asked. A
     * {@code Last-Event-ID} goes on from that byte.
     */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Access(Role.VIEWER)
    SseEmitter stream(
            @PathVariable String id, @RequestParam(defaultValue = "0") String from, HttpServletRequest request) {
        return opening(id, from, request.getHeader("Last-Event-ID")).alone();
    }

    /** @param lastEventId null or blank where the watcher has none */
    StreamOpening opening(String id, String from, String lastEventId) {
        long offset = Ids.parseLong("from", lastEventId == null || lastEventId.isBlank() ? from : lastEventId);
        return streams.opening(runs.get(Ids.parseLong("id", id)).id(), offset);
    }
}
