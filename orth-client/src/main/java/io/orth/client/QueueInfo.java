package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A queue and how it does.
 *
 * @param groupName whose executors work on it; null until a group first does
 * @param backoff what holds for messages that do not say their own
 * @param rateLimit messages begun in a second; null for no limit
 * @param concurrencyLimit messages at once; null for no limit
 * @param waiting messages to be begun, now or when they are due
 * @param dead messages that were given up
 * @param workers executors that ask for its messages
 * @param oldestSeconds for how long the oldest has been due
 */
public record QueueInfo(
        String name,
        String groupName,
        boolean paused,
        int maxAttempts,
        Backoff backoff,
        Integer rateLimit,
        Integer concurrencyLimit,
        Instant createdAt,
        long waiting,
        long running,
        long dead,
        int workers,
        long oldestSeconds) {

    static QueueInfo of(JsonObject json) {
        return new QueueInfo(
                json.requiredText("name"),
                json.text("groupName"),
                json.flag("paused"),
                json.integer("maxAttempts", 0),
                json.object("backoff").map(Backoff::of).orElse(null),
                Answers.integer(json, "rateLimit"),
                Answers.integer(json, "concurrencyLimit"),
                Answers.instant(json, "createdAt"),
                json.number("waiting", 0),
                json.number("running", 0),
                json.number("dead", 0),
                json.integer("workers", 0),
                json.number("oldestSeconds", 0));
    }
}
