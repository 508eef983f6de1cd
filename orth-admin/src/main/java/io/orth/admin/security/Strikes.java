package io.orth.admin.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counter of attempts per key in this node's memory. After the free attempts, each admitted attempt delays the next one, doubling the delay
 * each time. Quiet time restores attempts. An attempt is counted when it is admitted, not when it has failed, so that concurrent attempts
 * cannot bypass the limit. If there are too many keys, the least recently used one is dropped.
 */
final class Strikes {

    /**
     * @param free attempts before the first delay
     * @param firstWait delay after the last free attempt
     * @param longestWait upper bound of the doubling delay
     * @param forgiveEvery quiet time that restores one attempt
     * @param keys maximum number of keys
     */
    record Settings(int free, Duration firstWait, Duration longestWait, Duration forgiveEvery, int keys) {}

    private record Strike(int count, Instant openAgainAt) {}

    /** Maximum number of doublings: more have no effect, and this many cannot overflow. */
    private static final int MOST_DOUBLINGS = 20;

    private final Settings settings;
    private final Clock clock;
    /** Guarded by this. */
    private final Map<String, Strike> byKey;

    Strikes(Settings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
        this.byKey = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Strike> eldest) {
                return size() > settings.keys();
            }
        };
    }

    /** Admits an attempt and counts it, or throws {@link TooManyTriesException} and counts nothing. */
    synchronized void admit(String key) {
        Instant now = clock.instant();
        Strike before = byKey.getOrDefault(key, new Strike(0, now));
        if (now.isBefore(before.openAgainAt())) {
            throw new TooManyTriesException(Duration.between(now, before.openAgainAt()));
        }
        int count = Math.min(standing(before, now) + 1, settings.free() + MOST_DOUBLINGS);
        byKey.put(key, new Strike(count, now.plus(waitAfter(count))));
    }

    /** Uncounts one attempt, because it was successful. */
    synchronized void forgiveOne(String key) {
        Strike before = byKey.get(key);
        if (before != null) {
            int count = Math.max(0, before.count() - 1);
            byKey.put(key, new Strike(count, clock.instant().plus(waitAfter(count))));
        }
    }

    synchronized void forget(String key) {
        byKey.remove(key);
    }

    private int standing(Strike strike, Instant now) {
        long forgiven = Duration.between(strike.openAgainAt(), now).dividedBy(settings.forgiveEvery());
        return (int) Math.max(0, strike.count() - forgiven);
    }

    private Duration waitAfter(int count) {
        int over = count - settings.free();
        if (over < 0) {
            return Duration.ZERO;
        }
        Duration wait = settings.firstWait().multipliedBy(1L << over);
        return wait.compareTo(settings.longestWait()) < 0 ? wait : settings.longestWait();
    }
}
