package io.orth.admin.security;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Counts attempts per key in this node's memory. After the first few, each admitted attempt delays the next one, twice as long
 * every time. Quiet time wins attempts back. An attempt is counted when it is admitted, not when it has failed, so that parallel
 * ones cannot slip through together. If there are too many keys, the least recently used one is forgotten.
 */
final class Strikes {

    /**
     * @param free tries before the first wait
     * @param firstWait the wait after the last free try
     * @param longestWait where doubling ends
     * @param forgiveEvery quiet time that wins one try back
     * @param keys how many keys are remembered
     */
    record Settings(int free, Duration firstWait, Duration longestWait, Duration forgiveEvery, int keys) {}

    private record Strike(int count, Instant openAgainAt) {}

    /** More doublings than this change nothing, and fewer cannot overflow. */
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

    /** Admits a try and counts it, or refuses it and counts nothing. */
    synchronized void admit(String key) {
        Instant now = clock.instant();
        Strike before = byKey.getOrDefault(key, new Strike(0, now));
        if (now.isBefore(before.openAgainAt())) {
            throw new TooManyTriesException(Duration.between(now, before.openAgainAt()));
        }
        int count = Math.min(standing(before, now) + 1, settings.free() + MOST_DOUBLINGS);
        byKey.put(key, new Strike(count, now.plus(waitAfter(count))));
    }

    /** Takes back one try, because it was a good one. */
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
