package io.orth.executor.internal;

import io.orth.executor.internal.callback.Callbacks;
import io.orth.executor.internal.queue.Queues;
import java.util.Collection;
import java.util.Set;

/** Results that no admin has confirmed yet. */
public interface UnsentResults {

    /** How many results of runs. */
    long ofRuns();

    /** Of these attempts at messages, by log id, those whose result is still on its way. */
    Set<Long> ofMessages(Collection<Long> logIds);

    static UnsentResults in(Callbacks callbacks, Queues queues) {
        return new UnsentResults() {
            @Override
            public long ofRuns() {
                return callbacks.unsent();
            }

            @Override
            public Set<Long> ofMessages(Collection<Long> logIds) {
                return queues.unsent(logIds);
            }
        };
    }
}
