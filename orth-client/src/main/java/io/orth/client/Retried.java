package io.orth.client;

import io.orth.protocol.JsonObject;

/**
 * A run whose failed tasks are retried.
 *
 * @param tasks the number of retried tasks
 */
public record Retried(PipelineRunInfo run, long tasks) {

    static Retried of(JsonObject json) {
        return new Retried(PipelineRunInfo.of(json), json.number("retried", 0));
    }
}
