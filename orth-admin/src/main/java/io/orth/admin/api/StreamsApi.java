package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.util.UriComponents;
import org.springframework.web.util.UriComponentsBuilder;

/** Endpoint for several live streams over one connection: browsers allow only six connections per server. */
@RestController
class StreamsApi {

    private static final int MAX_STREAMS = 50;
    private static final Pattern RUN_LOG = Pattern.compile("/api/runs/([^/]+)/log/stream");

    private static final Set<String> RUN_LOG_PARAMETERS = Set.of("from", "lastEventId");
    private static final Set<String> TRANSITION_PARAMETERS =
            Set.of("kind", "entityId", "jobId", "groupId", "rootId", "after", "backlog", "lastEventId");

    private final RunLogApi runLogs;
    private final TransitionsApi transitions;
    private final SystemLogApi systemLog;

    StreamsApi(RunLogApi runLogs, TransitionsApi transitions, SystemLogApi systemLog) {
        this.runLogs = runLogs;
        this.transitions = transitions;
        this.systemLog = systemLog;
    }

    /**
     * Streams server-sent events of the streams whose addresses are given as {@code stream}, in order. Names and ids start with the number
     * of the stream, from 0. {@code 0.open} reports that a stream was accepted, {@code 0.over} that it was rejected or has finished.
     * {@code heartbeat} is sent while all streams are quiet. An address may have a {@code lastEventId}.
     */
    @GetMapping(path = "/api/streams", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    @Access(Role.VIEWER)
    SseEmitter open(@RequestParam(name = "stream", required = false) String anyStream, HttpServletRequest request) {
        String[] addresses = request.getParameterValues("stream");
        if (addresses == null || addresses.length > MAX_STREAMS) {
            throw OrthException.invalid("stream", "must be given 1 to %d times".formatted(MAX_STREAMS));
        }
        List<Supplier<StreamOpening>> requested = Arrays.stream(addresses)
                .<Supplier<StreamOpening>>map(address -> () -> opening(address))
                .toList();
        return StreamResponse.ofSeveral(requested);
    }

    private StreamOpening opening(String address) {
        UriComponents parts = UriComponentsBuilder.fromUriString(address).build();
        String path = parts.getPath() == null ? "" : parts.getPath();
        Map<String, String> query = parts.getQueryParams().toSingleValueMap();
        Matcher runLog = RUN_LOG.matcher(path);
        if (runLog.matches()) {
            QueryParameters.check(query.keySet(), RUN_LOG_PARAMETERS);
            return runLogs.opening(runLog.group(1), query.getOrDefault("from", "0"), query.get("lastEventId"));
        }
        return switch (path) {
            case "/api/transitions/stream" -> {
                QueryParameters.check(query.keySet(), TRANSITION_PARAMETERS);
                yield transitions.opening(query, query.get("lastEventId"));
            }
            case "/api/logs/stream" -> {
                QueryParameters.check(query.keySet(), Set.of("lastEventId"));
                yield systemLog.opening();
            }
            default -> throw OrthException.invalid("stream", "is not the address of a stream");
        };
    }
}
