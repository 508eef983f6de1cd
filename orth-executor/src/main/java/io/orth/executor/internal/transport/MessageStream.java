package io.orth.executor.internal.transport;

import io.orth.protocol.WireMessage;
import java.io.IOException;

/** Messages for one reader that come over time. */
public interface MessageStream {

    /**
     * What to send now.
     *
     * @param message null when there is nothing new
     * @param last whether nothing will follow
     */
    record Next(WireMessage message, boolean last) {}

    /** Asked on one thread at a time; does not wait for anything new. */
    Next next() throws IOException;

    /** What is sent when there has been nothing new for a while, so that both ends notice when the other is gone. */
    WireMessage stillThere();

    /** Until it is closed, calls {@code more} whenever there may be something new, from any thread. Set once, before use. */
    void onMore(Runnable more);

    /** Nobody reads any more; may be called more than once. */
    void close();
}
