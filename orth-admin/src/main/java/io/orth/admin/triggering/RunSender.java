package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import io.orth.admin.triggering.SourceShelf.Loaded;
import io.orth.protocol.TriggerBatch;
import java.util.List;

/** How runs get to one kind of executor. */
interface RunSender {

    /** Parts of {@code batch}, in its order, that may be on their way at the same time. */
    List<List<Loaded>> parts(List<Loaded> batch);

    /** Sends one such part; returns within the time that an executor has to answer. */
    SendResult send(Target target, TriggerBatch part) throws InterruptedException;
}
