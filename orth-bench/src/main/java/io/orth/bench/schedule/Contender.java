package io.orth.bench.schedule;

import java.time.Instant;

/** A scheduler with its own empty database, which fires jobs every second on the second from a given instant on. */
interface Contender extends AutoCloseable {

    /** Has {@code jobs} jobs fire at {@code first} and every second after it; returns once they are stored. */
    void fire(int jobs, Instant first) throws Exception;

    /** No more fires; returns when what was fired has ended, and everything seen is written down. */
    Sightings stop() throws Exception;

    @Override
    void close();
}
