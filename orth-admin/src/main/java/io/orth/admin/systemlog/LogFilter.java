package io.orth.admin.systemlog;

import java.time.Instant;

/**
 * Selection of archived lines. A null field matches all lines.
 *
 * @param message part of the text, ignoring case
 * @param to exclusive
 * @param after cursor of the previous page
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
