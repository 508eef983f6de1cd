package io.orth.executor.internal.callback;

import io.orth.protocol.CallbackItem;
import java.nio.file.Path;
import java.util.List;

/**
 * Results that are written, sent and deleted together.
 *
 * @param file their file on disk; null if it could not be written, in which case the results exist in memory only
 */
record Batch(Path file, List<CallbackItem> items) {

    static final int MAX_ITEMS = 500;

    /** JSON needs at most six bytes per character, so a batch stays below two megabytes. */
    static final int MAX_CHARACTERS = 300_000;

    /** Approximate size of the fields other than the message. */
    private static final int FIXED_CHARACTERS = 150;

    int characters() {
        return items.stream().mapToInt(Batch::charactersOf).sum();
    }

    static int charactersOf(CallbackItem item) {
        return FIXED_CHARACTERS
                + (item.handleMsg() == null ? 0 : item.handleMsg().length());
    }
}
