package io.orth.admin.pipeline;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Wakes the background duties of pipelines where there is something for them to do. Never waits. */
final class PipelineSignals {

    static final String DISPATCHER = "outbox-dispatcher";
    static final String WEBHOOK = "outbox-webhook-";
    static final String RECONCILER = "pipeline-reconciler";

    private final Set<String> webhooks;
    private final Consumer<String> loops;
    private final Set<Long> changed = ConcurrentHashMap.newKeySet();

    /**
     * @param webhooks the names of those in the configuration
     * @param loops makes the loop of this name run a pass
     */
    PipelineSignals(Set<String> webhooks, Consumer<String> loops) {
        this.webhooks = webhooks;
        this.loops = loops;
    }

    /** There may be something new in the outbox. */
    void dispatch() {
        loops.accept(DISPATCHER);
        webhooks.forEach(name -> loops.accept(WEBHOOK + name));
    }

    /** Something of this run has changed: it is looked at soon. */
    void reconcile(long root) {
        if (changed.add(root)) {
            loops.accept(RECONCILER);
        }
    }

    /** The next runs to look at, which are not remembered any more. */
    List<Long> takeChanged(int limit) {
        List<Long> next = changed.stream().limit(limit).toList();
        next.forEach(changed::remove);
        return next;
    }

    boolean hasChanged() {
        return !changed.isEmpty();
    }
}
