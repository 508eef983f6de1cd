package io.orth.bench.installation;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;

/** Waiting. */
public final class Patience {

    private static final long LOOK_AGAIN_MILLIS = 200;

    private Patience() {}

    public static void until(Instant instant) throws InterruptedException {
        long left = Duration.between(Instant.now(), instant).toMillis();
        if (left > 0) {
            Thread.sleep(left);
        }
    }

    /** Asks again and again; what throws is not so yet. */
    public static void await(String what, Duration limit, Callable<Boolean> condition) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        Exception last = null;
        while (System.nanoTime() < deadline) {
            try {
                if (condition.call()) {
                    return;
                }
            } catch (InterruptedException e) {
                throw e;
            } catch (Exception e) {
                last = e;
            }
            Thread.sleep(LOOK_AGAIN_MILLIS);
        }
        throw new IllegalStateException("no %s within %s".formatted(what, limit), last);
    }
}
