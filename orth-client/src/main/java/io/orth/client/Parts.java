package io.orth.client;

import io.orth.protocol.Json;
import java.util.List;
import java.util.Map;

/** How many messages go together, where there are more than one request or one row takes. */
final class Parts {

    private Parts() {}

    /**
     * Where the part ends that begins at {@code start}: after so many messages, or before the one that would make it longer than so
     * many bytes as JSON; a message may be six times as long then as its payload. There is one message in any case.
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
