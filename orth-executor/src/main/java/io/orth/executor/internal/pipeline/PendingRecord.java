package io.orth.executor.internal.pipeline;

import io.orth.runtime.DoublingDelay;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** A record without a response. Modified by the sender's thread only. */
final class PendingRecord<I, A> {

    private static final Duration MIN_DELAY = Duration.ofMillis(200);
    private static final Duration MAX_DELAY = Duration.ofSeconds(5);

    private final I item;
    private final int bytes;
    private final CompletableFuture<A> response;
    private final DoublingDelay retryDelay = new DoublingDelay(MIN_DELAY, MAX_DELAY);
    private boolean rejected;
    private long firstRejection;
    private long retryAt;

    /** @param bytes approximate size as JSON */
    PendingRecord(I item, int bytes, CompletableFuture<A> response) {
        this.item = item;
        this.bytes = bytes;
        this.response = response;
    }

    I item() {
        return item;
    }

    int bytes() {
        return bytes;
    }

    CompletableFuture<A> response() {
        return response;
    }

    /** Returns whether the record has its response or the caller has stopped waiting. */
    boolean isFinished() {
        return response.isDone();
    }

    /** Records that the admins rejected this record when it was sent alone, and schedules its retry. */
    void rejected() {
        long now = System.nanoTime();
        firstRejection = rejected ? firstRejection : now;
        rejected = true;
        retryAt = now + retryDelay.next().toNanos();
    }

    boolean isRejected() {
        return rejected;
    }

    boolean isRejectedSince(Duration time) {
        return rejected && System.nanoTime() - firstRejection >= time.toNanos();
    }

    long nanosUntilRetry() {
        return retryAt - System.nanoTime();
    }
}
