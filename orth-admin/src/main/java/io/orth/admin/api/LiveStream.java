package io.orth.admin.api;

import java.io.IOException;

/** What one watcher is being sent. */
interface LiveStream {

    /** Sends until there is no more to send, nobody watches any more, or it is closed. */
    void follow() throws IOException, InterruptedException;

    void close();
}
