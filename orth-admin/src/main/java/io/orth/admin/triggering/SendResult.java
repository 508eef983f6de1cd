package io.orth.admin.triggering;

import io.orth.protocol.TriggerBatchReply.Outcome;
import java.util.List;

/** What is known after sending triggers to an executor. */
sealed interface SendResult {

    /** It answered for each of them. */
    record Answered(List<Outcome> outcomes) implements SendResult {}

    /** It surely has none of them. */
    record NotSent(String reason) implements SendResult {}

    /** It may have all, some or none of them; only it can tell. */
    record Unclear(String reason) implements SendResult {}
}
