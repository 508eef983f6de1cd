package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.queue.Message;

/**
 * Message of a queue.
 *
 * @param failures earlier attempts, oldest first: each with attempt, logId, executorId, startedAt, endedAt, code and error
 */
record MessageView(
        @JsonUnwrapped Message message,
        String queue,
        @JsonRawValue String failures,
        @JsonUnwrapped Message.Death death) {

    static MessageView of(Message message, String queue) {
        return new MessageView(
                message,
                queue,
                message.failures() == null ? "[]" : message.failures(),
                message.death() == null ? Message.Death.NONE : message.death());
    }
}
