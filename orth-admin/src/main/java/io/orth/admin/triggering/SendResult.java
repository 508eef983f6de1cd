package io.orth.admin.triggering;

import io.orth.protocol.Codes;
import io.orth.protocol.TriggerBatchReply.Outcome;
import java.util.List;
import java.util.Map;

/** What is known after sending triggers to an executor. */
sealed interface SendResult {

    /** Whether the executor said anything at all; if not, sending it more at once is in vain. */
    default boolean isAnswer() {
        return true;
    }

    /** It answered for each of them. */
    record Answered(List<Outcome> outcomes) implements SendResult {}

    /** It surely has none of them. */
    record NotSent(String reason) implements SendResult {}

    /**
     * Each was sent on its own. Where it is unclear whether the executor has it, with the reason, that cannot be found out, and
     * it must not be sent again.
     */
    record OneByOne(List<Outcome> answered, Map<Long, String> unclear) implements SendResult {

        @Override
        public boolean isAnswer() {
            return answered.stream().anyMatch(outcome -> outcome.code() != Codes.UNAVAILABLE);
        }
    }

    /** It may have all, some or none of them; only it can tell. */
    record Unclear(String reason) implements SendResult {}
}
