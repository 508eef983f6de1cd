package io.orth.admin.pipeline;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Wake-up signals for the background loops of pipelines. Never blocks. */
final class PipelineSignals {

    static final String DISPATCHER = "outbox-dispatcher";
    static final String WEBHOOK = "outbox-webhook-";
    static final String RECONCILER = "pipeline-reconciler";

    private final Set<String> webhooks;
    private final Consumer<String> loops;
    private final Set<Long> changed = ConcurrentHashMap.newKeySet();

    /**
     * @param webhooks the names of the configured webhooks
     * @param loops triggers a pass of the loop with this name
     */
    PipelineSignals(Set<String> webhooks, Consumer<String> loops) {
        this.webhooks = webhooks;
        this.loops = loops;
    }

    /** Signals that the outbox may have new entries. */
    void dispatch() {
        loops.accept(DISPATCHER);
        webhooks.forEach(name -> loops.accept(WEBHOOK + name));
    }

    /** Signals that this run has changed, so that it is reconciled soon. */
    void reconcile(long root) {
        if (changed.add(root)) {
            loops.accept(RECONCILER);
        }
    }

    /** Removes and returns the next changed runs. */
    List<Long> takeChanged(int limit) {
        List<Long> next = changed.stream().limit(limit).toList();
        next.forEach(changed::remove);
        return next;
    }

    boolean hasChanged() {
        return !changed.isEmpty();
    }
}
