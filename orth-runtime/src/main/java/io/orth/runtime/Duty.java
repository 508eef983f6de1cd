package io.orth.runtime;

import java.time.Duration;
import java.time.Instant;

/** One pass of a background duty. A pass may run at any time and repeatedly; passes of an admin's duty may run on any node. */
@FunctionalInterface
public interface Duty {

    Pass run() throws Exception;

    /** Called once, when no pass will follow because the process stops gracefully. */
    default void ended() {}

    /** Scheduling of the next pass. */
    sealed interface Pass {

        /** Nothing is left: wait for the next interval or wake-up. */
        Pass DRAINED = new Drained();

        /** A full batch was handled and more may be waiting: run again immediately. */
        Pass MORE = new More();

        /** Nothing is left before {@code instant}: wait until then, at most the interval, or for a wake-up. */
        static Pass nextAt(Instant instant) {
            return new NextAt(instant);
        }

        /** Nothing is left for {@code duration}: wait that long or for a wake-up; zero is {@link #MORE}. */
        static Pass rest(Duration duration) {
            return duration.isZero() ? MORE : new Rest(duration);
        }

        static Pass after(int handled, int batchSize) {
            return handled < batchSize ? DRAINED : MORE;
        }
    }

    /** See {@link Pass#DRAINED}. */
    record Drained() implements Pass {}

    /** See {@link Pass#MORE}. */
    record More() implements Pass {}

    /** See {@link Pass#rest}. */
    record Rest(Duration duration) implements Pass {}

    /** See {@link Pass#nextAt}. */
    record NextAt(Instant instant) implements Pass {}
}
