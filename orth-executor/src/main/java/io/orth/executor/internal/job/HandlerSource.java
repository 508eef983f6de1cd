package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.protocol.TriggerRequest;

/** Finds or creates the handler for a trigger. Called for every trigger, so implementations must return immediately. */
@FunctionalInterface
public interface HandlerSource {

    /**
     * Returns the handler. It is the same object as long as the work is the same; a job's lane switches to a new object between
     * runs.
     *
     * @throws NoHandlerException if there is no handler; the message is the reason for the rejection
     */
    JobHandler handlerOf(TriggerRequest trigger) throws NoHandlerException;

    /** Thrown if this executor has no handler for a trigger. */
    final class NoHandlerException extends Exception {

        private static final long serialVersionUID = 1;

        public NoHandlerException(String reason) {
            super(reason);
        }
    }
}
