package io.orth.admin.alarm;

import java.time.Instant;

/**
 * What people are told about a queue, or about the executors as a whole.
 *
 * @param queue null if it is not about a queue
 * @param rule what was watched for
 * @param over whether it is over
 * @param text what was found
 * @param groupId whose executors work on the queue; null where nobody's do
 */
public record AlarmNotice(String queue, String rule, boolean over, String text, Integer groupId, Instant at) {}
