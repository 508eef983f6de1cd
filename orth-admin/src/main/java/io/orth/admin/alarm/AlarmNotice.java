package io.orth.admin.alarm;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.time.Instant;

/**
 * An alert on a queue or on the executors as a whole, as channels and webhooks receive it.
 *
 * @param queue null if it does not concern a queue
 * @param rule name of the alert rule
 * @param over whether the alert is resolved
 * @param groupId the executor group that works on the queue; null if there is none
 */
@JsonPropertyOrder({"queue", "rule", "state", "text", "at"})
public record AlarmNotice(
        String queue,
        String rule,
        @JsonIgnore boolean over,
        String text,
        @JsonIgnore Integer groupId,
        Instant at) {

    @JsonProperty
    String state() {
        return over ? "RECOVERED" : "FIRING";
    }
}
