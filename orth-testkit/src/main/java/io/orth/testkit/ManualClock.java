package io.orth.testkit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/** A clock that stands still until a test moves it; its {@link #ticker()} moves with it. */
public final class ManualClock extends Clock {

    private final AtomicReference<Instant> now;
    private final Instant start;

    private ManualClock(Instant start) {
        this.now = new AtomicReference<>(start);
        this.start = start;
    }

    public static ManualClock at(String instant) {
        return at(Instant.parse(instant));
    }

    public static ManualClock at(Instant instant) {
        return new ManualClock(instant);
    }

    public void advance(Duration step) {
        now.updateAndGet(before -> before.plus(step));
    }

    /** Nanoseconds as {@link System#nanoTime()} would count them, for code that measures durations. */
    public LongSupplier ticker() {
        return () -> Duration.between(start, instant()).toNanos();
    }

    @Override
    public Instant instant() {
        return now.get();
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        throw new UnsupportedOperationException("a manual clock knows UTC only");
    }
}
