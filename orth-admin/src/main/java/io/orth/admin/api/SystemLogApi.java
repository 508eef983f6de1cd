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

/** What the platform itself has to say: the newest lines of all admins, as they come, and all that are kept. */
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
     * One line.
     *
     * @param id the same wherever the line is seen, and no other line's
     * @param workerId the executor instance it is about; null where it is about none
     * @param queue the queue it is about; null where it is about none
     * @param node the admin that published it
     */
    record LineView(String id, Instant at, LogLevel level, String message, String workerId, String queue, String node) {

        static LineView of(LogLine line) {
            return new LineView(
                    line.key(), line.at(), line.level(), line.message(), line.workerId(), line.queue(), line.node());
        }
    }

    /** The newest hundred, newest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<LineView> newest() {
        return new Page<>(live.newest().stream().map(LineView::of).toList(), null);
    }

    /**
     * Server-sent events: {@code line} for each of the newest hundred and then for each that comes, once; {@code missed} with
     * their number where more came at once than are shown.
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
     * Newest first. A page may have fewer lines than were asked for, or none, and yet a {@code next}: then it has looked through as
     * many lines as it may, and the next one goes on from there.
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
