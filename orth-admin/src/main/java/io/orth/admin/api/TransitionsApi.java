package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.transition.SinkState;
import io.orth.admin.transition.Sinks;
import io.orth.admin.transition.TransitionFeed.Place;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Endpoints for the live stream of state transitions, and for the sinks that receive them. */
@RestController
@RequestMapping("/api/transitions")
class TransitionsApi {

    private static final int LARGEST_BACKLOG = 1_000;

    /** Position, optionally with a place within its batch. */
    private static final Pattern ID = Pattern.compile("(\\d{1,18})(?:\\.(\\d{1,9}))?");

    private final TransitionStreams streams;
    private final Sinks sinks;
    private final Clock clock;

    TransitionsApi(TransitionStreams streams, Sinks sinks, Clock clock) {
        this.streams = streams;
        this.sinks = sinks;
        this.clock = clock;
    }

    /**
     * State of a sink.
     *
     * @param waitingSince when the oldest transition was written that the sink has not received; null if there is none
     * @param lagMillis age of that transition
     */
    record SinkView(@JsonUnwrapped SinkState sink, long waitingBatches, Instant waitingSince, long lagMillis) {

        static SinkView of(Sinks.Lag lag, Instant now) {
            Instant since = lag.waitingSince();
            long millis =
                    since == null ? 0 : Math.max(0, Duration.between(since, now).toMillis());
            return new SinkView(lag.sink(), lag.waitingBatches(), since, millis);
        }
    }

    /**
     * Streams server-sent events: {@code transition} for each transition that matches the filter, {@code gap} if some are no longer stored,
     * and {@code at} with the current position now and then. Each id can be passed as {@code Last-Event-ID} or {@code after} to resume.
     */
    @GetMapping(path = "/stream", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Access(Role.VIEWER)
    SseEmitter stream(
            @RequestParam(required = false) String kind,
            @RequestParam(required = false) String entityId,
            @RequestParam(required = false) String jobId,
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) String rootId,
            @RequestParam(required = false) String after,
            @RequestParam(required = false) String backlog,
            HttpServletRequest request) {
        TransitionFilter filter = TransitionFilter.of(kind, entityId, jobId, groupId, rootId);
        return opening(filter, after, backlog, request.getHeader("Last-Event-ID"))
                .alone();
    }

    /** @param lastEventId null if the client has none */
    StreamOpening opening(Map<String, String> query, String lastEventId) {
        TransitionFilter filter = TransitionFilter.of(
                query.get("kind"),
                query.get("entityId"),
                query.get("jobId"),
                query.get("groupId"),
                query.get("rootId"));
        return opening(filter, query.get("after"), query.get("backlog"), lastEventId);
    }

    private StreamOpening opening(TransitionFilter filter, String after, String backlog, String lastEventId) {
        int last = backlog(backlog);
        Place lastSeen = place("Last-Event-ID", lastEventId);
        return streams.opening(filter, lastSeen == null ? place("after", after) : lastSeen, last);
    }

    @GetMapping("/sinks")
    @Access(Role.VIEWER)
    List<SinkView> sinks() {
        Instant now = clock.instant();
        return sinks.list().stream().map(lag -> SinkView.of(lag, now)).toList();
    }

    private static int backlog(String text) {
        Integer backlog = Ids.parseOptionalInt("backlog", text);
        if (backlog != null && backlog > LARGEST_BACKLOG) {
            throw OrthException.invalid("backlog", "must be a number from 0 to " + LARGEST_BACKLOG);
        }
        return backlog == null ? 0 : backlog;
    }

    /** Returns null if {@code text} is missing. */
    private static Place place(String field, String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        Matcher id = ID.matcher(text.strip());
        if (!id.matches()) {
            throw OrthException.invalid(field, "is not the id of an event of this stream");
        }
        long position = Long.parseLong(id.group(1));
        return id.group(2) == null ? Place.after(position) : new Place(position, Integer.parseInt(id.group(2)));
    }
}
