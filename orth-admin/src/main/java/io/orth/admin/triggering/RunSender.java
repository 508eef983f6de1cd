package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import io.orth.admin.triggering.SourceShelf.Loaded;
import io.orth.protocol.TriggerBatch;
import java.util.List;

/** Sends runs to one kind of executor. */
interface RunSender {

    /** Splits {@code batch}, in order, into parts whose runs may be sent concurrently. */
    List<List<Loaded>> parts(List<Loaded> batch);

    /** Sends one such part; returns within the executor's response timeout. */
    SendResult send(Target target, TriggerBatch part) throws InterruptedException;
}
