package io.orth.admin.triggering;

import io.orth.protocol.Codes;
import io.orth.protocol.TriggerBatchReply.Outcome;
import java.util.List;
import java.util.Map;

/** Outcome of sending triggers to an executor. */
sealed interface SendResult {

    /** Returns whether the executor responded at all; if not, sending it more runs immediately is pointless. */
    default boolean isAnswer() {
        return true;
    }

    /** The executor responded for each trigger. */
    record Answered(List<Outcome> outcomes) implements SendResult {}

    /** The executor certainly has none of the runs. */
    record NotSent(String reason) implements SendResult {}

    /**
     * Each trigger was sent separately. {@code unclear} contains, with the reason, the runs that the executor may or may not have. That
     * cannot be found out, so they must not be sent again.
     */
    record OneByOne(List<Outcome> answered, Map<Long, String> unclear) implements SendResult {

        @Override
        public boolean isAnswer() {
            return answered.stream().anyMatch(outcome -> outcome.code() != Codes.UNAVAILABLE);
        }
    }

    /** The executor may have all, some or none of the runs; only the executor knows. */
    record Unclear(String reason) implements SendResult {}
}
