package io.orth.admin.transition;

import java.time.Instant;

/**
 * One change of state as the journal keeps it.
 *
 * @param from null where the entity was created
 * @param millisInFrom time spent in the old state; null where the entity was created
 * @param node the admin node that wrote it
 * @param executorId the executor instance concerned, if any
 */
public record StateTransition(
        int sequence,
        String from,
        String to,
        Instant at,
        Long millisInFrom,
        String cause,
        String node,
        Long executorId,
        String traceId) {}
