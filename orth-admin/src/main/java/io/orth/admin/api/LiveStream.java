package io.orth.admin.api;

/** What one watcher is being sent. */
interface LiveStream {

    /** Sends until there is no more to send, nobody watches any more, or it is closed. */
    void follow();

    void close();
}
