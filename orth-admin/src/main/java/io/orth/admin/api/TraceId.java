package io.orth.admin.api;

import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Id of a call in logs, audit and error responses: that of the W3C trace context, or a generated one. */
public final class TraceId {

    /** Response header. */
    public static final String HEADER = "Trace-Id";

    /** Key in the logging context. */
    static final String MDC_KEY = "traceId";

    private static final String ATTRIBUTE = TraceId.class.getName();
    private static final Pattern TRACEPARENT =
            Pattern.compile("(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(-.*)?");

    private TraceId() {}

    /** Returns the id of this call. */
    public static String of(HttpServletRequest request) {
        Object known = request.getAttribute(ATTRIBUTE);
        if (known instanceof String id) {
            return id;
        }
        String id = fromHeader(request.getHeader("traceparent")).orElseGet(TraceId::fresh);
        request.setAttribute(ATTRIBUTE, id);
        return id;
    }

    static Optional<String> fromHeader(String traceparent) {
        if (traceparent == null || traceparent.length() > 512) {
            return Optional.empty();
        }
        Matcher parts = TRACEPARENT.matcher(traceparent);
        return parts.matches() ? Optional.of(parts.group(1)) : Optional.empty();
    }

    /** Generates an id. Trace ids are not secret, so they need no secure randomness. */
    private static String fresh() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return "%016x%016x".formatted(random.nextLong() | 1, random.nextLong());
    }
}
