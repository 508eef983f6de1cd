package io.orth.client;

import io.orth.protocol.JsonObject;
import java.time.Instant;

/**
 * A queue and its state.
 *
 * @param groupName the executor group of the queue; null until a group first claims from it
 * @param backoff default of messages without a backoff of their own
 * @param rateLimit maximum number of messages started per second; null for no limit
 * @param concurrencyLimit maximum number of concurrently running messages; null for no limit
 * @param waiting the number of waiting messages, due or not
 * @param dead the number of dead messages
 * @param workers the number of executors that poll the queue
 * @param oldestSeconds how long the oldest waiting message has been due
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
