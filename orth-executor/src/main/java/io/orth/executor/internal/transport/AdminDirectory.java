package io.orth.executor.internal.transport;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The admins in the order in which to try them: as configured, except that one that failed goes behind the others for a
 * while, so that a dead admin does not slow down every request and a recovered one is found again.
 */
final class AdminDirectory {

    private static final Duration SET_BACK = Duration.ofSeconds(10);

    private final List<URI> configured;
    private final LongSupplier nanos;
    private final Map<URI, Long> failedAt = new ConcurrentHashMap<>();

    /** @param nanos a monotonic clock */
    AdminDirectory(List<URI> configured, LongSupplier nanos) {
        this.configured = List.copyOf(configured);
        this.nanos = nanos;
    }

    List<URI> inOrder() {
        List<URI> first = new ArrayList<>();
        List<URI> last = new ArrayList<>();
        for (URI admin : configured) {
            (isSetBack(admin) ? last : first).add(admin);
        }
        first.addAll(last);
        return first;
    }

    void failed(URI admin) {
        failedAt.put(admin, nanos.getAsLong());
    }

    void answered(URI admin) {
        failedAt.remove(admin);
    }

    private boolean isSetBack(URI admin) {
        Long at = failedAt.get(admin);
        return at != null && nanos.getAsLong() - at < SET_BACK.toNanos();
    }
}
