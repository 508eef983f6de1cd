package io.orth.admin.api;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** What one watcher is being sent, on a thread of its own. */
abstract class LiveStream {

    static final long LOOK_EVERY_MILLIS = 300;
    private static final int LOOKS_PER_HEARTBEAT = 30;

    final EventChannel channel;
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile boolean watched = true;
    private int quietLooks;

    LiveStream(EventChannel channel) {
        this.channel = channel;
    }

    /** Sends until there is no more to send, nobody watches any more, or it is closed. */
    void follow() throws IOException, InterruptedException {
        while (look()) {
            // Each look waits for its own time.
        }
    }

    /** Sends what is new; returns whether to look again. */
    abstract boolean look() throws IOException, InterruptedException;

    final void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** Lets it send. */
    final void begin() {
        begun.countDown();
    }

    /** Its watcher is gone. */
    final void unwatch() {
        watched = false;
        close();
    }

    final boolean isWatched() {
        return watched;
    }

    final void close() {
        closed.countDown();
    }

    final boolean isOpen() {
        return closed.getCount() > 0;
    }

    /** Returns whether it is still open afterwards. */
    final boolean rest(long millis) throws InterruptedException {
        return !closed.await(millis, TimeUnit.MILLISECONDS);
    }

    final void sent() {
        quietLooks = 0;
    }

    /** Counts the looks since something was sent. */
    final boolean isHeartbeatDue() {
        return ++quietLooks % LOOKS_PER_HEARTBEAT == 0;
    }
}
