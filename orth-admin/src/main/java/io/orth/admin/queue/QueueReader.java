package io.orth.admin.queue;

import io.orth.admin.kernel.OrthException;
import java.util.List;
import java.util.Optional;

/**
 * What messages a queue has and had: the part of a driver that changes nothing. What was done, or given up, is in the database
 * whatever keeps the others, so a driver that is elsewhere brings its own for those that wait and run.
 */
public interface QueueReader {

    /** How many messages of a queue wait, are with executors, and were given up. */
    record Depth(long waiting, long running, long dead) {}

    /** A message of this queue, wherever it is. */
    Optional<Message> find(Queue queue, long id);

    /** The same where it has to be there. */
    default Message get(Queue queue, long id) {
        return find(queue, id).orElseThrow(() -> OrthException.notFound("message", id));
    }

    /** Those that wait or run, the oldest first; those with an id above {@code after}. */
    List<Message> open(Queue queue, MessageStatus status, long after, int limit);

    /** Those that are done or were discarded, the latest pushed first; those with an id below {@code before}. */
    List<Message> ended(Queue queue, MessageStatus status, long before, int limit);

    /** Those that were given up, the latest first; those with a number below {@code before}. */
    List<Message> dead(Queue queue, long before, int limit);

    /** Without counting them. */
    Depth depth(Queue queue);
}
