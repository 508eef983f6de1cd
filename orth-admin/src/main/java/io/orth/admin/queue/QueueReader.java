package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.Optional;

/**
 * Read-only part of a driver: current and past messages of a queue. Finished messages and dead letters are always in the database, so a
 * driver with other storage supplies its own reader for waiting and running ones.
 */
public interface QueueReader {

    /** Numbers of waiting messages, running messages and dead letters of a queue. */
    record Depth(long waiting, long running, long dead) {}

    /** Finds a message of this queue in any status. */
    Optional<Message> find(Queue queue, long id);

    /** Returns a message of this queue. Fails if it does not exist. */
    default Message get(Queue queue, long id) {
        return find(queue, id).orElseThrow(() -> OrthException.notFound("message", id));
    }

    /** Returns waiting or running messages with ids above {@code after}, oldest first. */
    List<Message> open(Queue queue, MessageStatus status, long after, int limit);

    /** Returns completed or discarded messages with ids below {@code before}, latest pushed first. */
    List<Message> ended(Queue queue, MessageStatus status, long before, int limit);

    /** Returns dead letters with numbers below {@code before}, latest first. */
    List<Message> dead(Queue queue, long before, int limit);

    /** Returns the numbers from counters, without counting messages. */
    Depth depth(Queue queue);
}
