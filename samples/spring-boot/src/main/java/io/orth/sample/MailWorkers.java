package io.orth.sample;

import io.orth.executor.FailForGoodException;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.OrthQueue;
import org.springframework.stereotype.Component;

/** Works on the messages of a queue. */
@Component
class MailWorkers {

    /** The payload of a message: JSON with these fields. */
    record Letter(String to, String subject) {}

    /**
     * Sends a letter, eight at a time. A letter to nobody will not get better by trying again; whatever else is thrown is tried again
     * by the queue's rule.
     */
    @OrthQueue(value = "emails", concurrency = 8, timeout = "30s")
    void send(Letter letter) {
        if (letter.to() == null || letter.to().isBlank()) {
            throw new FailForGoodException("nobody to send '%s' to".formatted(letter.subject()));
        }
        OrthJobHelper.log("sending '{}' to {}", letter.subject(), letter.to());
    }
}
