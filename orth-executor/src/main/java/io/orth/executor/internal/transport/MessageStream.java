package io.orth.executor.internal.transport;

import io.orth.protocol.WireMessage;
import java.io.IOException;

/** A stream of messages for one reader. */
public interface MessageStream {

    /**
     * The next message to send.
     *
     * @param message null if there is nothing new
     * @param last whether nothing will follow
     */
    record Next(WireMessage message, boolean last) {}

    /** Returns the next message without waiting for one. Called by one thread at a time. */
    Next next() throws IOException;

    /**
     * Returns the keep-alive message, sent when there has been nothing new for a while, so that both ends detect a broken
     * connection.
     */
    WireMessage stillThere();

    /**
     * Registers a callback, to be called from any thread whenever there may be something new, until the stream is closed. Set
     * once, before use.
     */
    void onMore(Runnable more);

    /** Closes the stream after the reader has left; may be called more than once. */
    void close();
}
