package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.LiveLines;
import io.orth.admin.systemlog.LogFilter;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.LogLine;
import io.orth.admin.systemlog.SystemLogArchive;
import java.time.Instant;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Endpoints for the system log: the newest lines of all admins, a live stream, and the archive. */
@RestController
@RequestMapping("/api/logs")
class SystemLogApi {

    private final LiveLines live;
    private final SystemLogStreams streams;
    private final SystemLogArchive archive;

    SystemLogApi(LiveLines live, SystemLogStreams streams, SystemLogArchive archive) {
        this.live = live;
        this.streams = streams;
        this.archive = archive;
    }

    /**
     * Line of the system log.
     *
     * @param id unique id, the same wherever the line is returned
     * @param workerId executor instance that the line concerns; null if none
     * @param queue queue that the line concerns; null if none
     * @param node admin that published the line
     */
    record LineView(String id, Instant at, LogLevel level, String message, String workerId, String queue, String node) {

        static LineView of(LogLine line) {
            return new LineView(
                    line.key(), line.at(), line.level(), line.message(), line.workerId(), line.queue(), line.node());
        }
    }

    /** Lists the newest hundred lines, newest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<LineView> newest() {
        return new Page<>(live.newest().stream().map(LineView::of).toList(), null);
    }

    /**
     * Streams server-sent events: {@code line} once for each of the newest hundred lines and each new one; {@code missed} with the number
     * of lines that were dropped because too many came together.
     */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Access(Role.VIEWER)
    ResponseEntity<SseEmitter> stream() {
        return ResponseEntity.ok()
                .header("X-Accel-Buffering", "no")
                .body(opening().alone());
    }

    StreamOpening opening() {
        return streams.opening();
    }

    /**
     * Searches the archive, newest first. A page may have fewer lines than requested, or none, and still a {@code next}: the search has
     * reached its limit, and the next page continues from there.
     */
    @GetMapping("/archive")
    @Access(Role.VIEWER)
    Page<LineView> archive(
            @RequestParam(required = false) LogLevel level,
            @RequestParam(name = "worker_id", required = false) String workerId,
            @RequestParam(required = false) String queue,
            @RequestParam(required = false) String message,
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            PageRequest page) {
        SystemLogArchive.Found found = archive.search(new LogFilter(
                level,
                Filters.text("worker_id", workerId),
                Filters.text("queue", queue),
                Filters.text("message", message),
                Instants.parseOptional("from", from),
                Instants.parseOptional("to", to),
                page.after().isPresent() ? page.after().getAsLong() : null,
                page.limit()));
        return new Page<>(
                found.lines().stream().map(LineView::of).toList(),
                found.next() == null ? null : found.next().toString());
    }
}
