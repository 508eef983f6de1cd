package io.orth.admin.systemlog;

import java.time.Instant;

/**
 * Which archived lines are wanted; null where it does not matter.
 *
 * @param message is part of the text, in any case of letters
 * @param from the earliest
 * @param to before this
 * @param after the place to go on from, which an earlier search has named
 * @param limit the most
 */
public record LogFilter(
        LogLevel level,
        String workerId,
        String queue,
        String message,
        Instant from,
        Instant to,
        Long after,
        int limit) {}
