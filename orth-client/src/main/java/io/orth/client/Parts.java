package io.orth.client;

import io.orth.protocol.Json;
import java.util.List;
import java.util.Map;

/** Splits messages into batches that fit into one request or row. */
final class Parts {

    private Parts() {}

    /**
     * Returns the exclusive end of the batch that starts at {@code start}. A batch has at most {@code mostMessages} messages and
     * {@code mostBytes} bytes as JSON, but at least one message. As JSON, a message may be six times as long as its payload.
     */
    static int end(List<Map<String, Object>> messages, int start, int mostMessages, long mostBytes) {
        long bytes = 0;
        int end = start;
        while (end < messages.size() && end - start < mostMessages) {
            bytes += Json.write(messages.get(end)).length + 1;
            if (end > start && bytes > mostBytes) {
                break;
            }
            end++;
        }
        return end;
    }
}
