package io.orth.admin.api;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Stream of live events to one client, with a thread of its own. */
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

    /** Sends until there is nothing more to send, the client has disconnected, or the stream is closed. */
    void follow() throws IOException, InterruptedException {
        while (look()) {
            // Each call of look() waits by itself.
        }
    }

    /** Sends new events. Returns whether to look again. */
    abstract boolean look() throws IOException, InterruptedException;

    final void awaitBegin() throws InterruptedException {
        begun.await();
    }

    /** Allows the stream to send. */
    final void begin() {
        begun.countDown();
    }

    /** Closes the stream because its client has disconnected. */
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

    /** Waits. Returns whether the stream is still open afterwards. */
    final boolean rest(long millis) throws InterruptedException {
        return !closed.await(millis, TimeUnit.MILLISECONDS);
    }

    final void sent() {
        quietLooks = 0;
    }

    /** Counts the looks since the last event and returns whether a heartbeat is due. */
    final boolean isHeartbeatDue() {
        return ++quietLooks % LOOKS_PER_HEARTBEAT == 0;
    }
}
