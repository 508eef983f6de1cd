package io.orth.executor.internal;

import io.orth.executor.internal.callback.Callbacks;
import io.orth.executor.internal.queue.Queues;
import java.util.Collection;
import java.util.Set;

/** Results that no admin has confirmed yet. */
public interface UnsentResults {

    /** Returns the number of unsent results of runs. */
    long ofRuns();

    /** Returns those of these message attempts, by log id, whose result is still unsent. */
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
