package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.protocol.TriggerRequest;

/** Finds or makes the handler that will do the work of a trigger. Called for every trigger, so it answers at once. */
@FunctionalInterface
public interface HandlerSource {

    /**
     * The same object as long as the work is the same: a lane whose job gets another one changes over.
     *
     * @throws NoHandlerException saying why the trigger is refused
     */
    JobHandler handlerOf(TriggerRequest trigger) throws NoHandlerException;

    /** This executor cannot do the work of a trigger. */
    final class NoHandlerException extends Exception {

        private static final long serialVersionUID = 1;

        public NoHandlerException(String reason) {
            super(reason);
        }
    }
}
