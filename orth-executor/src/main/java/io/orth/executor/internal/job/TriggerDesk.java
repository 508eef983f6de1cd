package io.orth.executor.internal.job;

import io.orth.executor.internal.job.HandlerSource.NoHandlerException;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.TriggerRequest;
import java.util.Optional;

/** Decides about each trigger and each message of a queue: accepted into its lane, or refused for a reason. */
public final class TriggerDesk {

    /** A trigger is refused for no fault of its own: another executor, or a later time, may do. */
    public static final class UnavailableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnavailableException(String message) {
            super(message, null, false, false);
        }
    }

    /** The job is busy and its block strategy is DISCARD: the trigger is skipped. */
    public static final class BusyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BusyException() {
            super(BlockStrategy.DISCARDED, null, false, false);
        }
    }

    /** More than this at once is surely a mistake, and a job's threads are not to take the whole executor. */
    private static final int MAX_CONCURRENCY = 10_000;

    private final String instanceId;
    private final HandlerSource handlers;
    private final RunLogFiles logs;
    private final RunMemory memory;
    private final JobThreads lanes;
    private final StartGate gate;

    /** Why no trigger is accepted; null while they are. */
    private volatile String closedBecause;

    public TriggerDesk(
            String instanceId,
            HandlerSource handlers,
            RunLogFiles logs,
            RunMemory memory,
            JobThreads lanes,
            StartGate gate) {
        this.instanceId = instanceId;
        this.handlers = handlers;
        this.logs = logs;
        this.memory = memory;
        this.lanes = lanes;
        this.gate = gate;
    }

    /**
     * Returns why the trigger is refused; empty when it is accepted, now or by an earlier copy of it.
     *
     * @throws UnavailableException if at the moment every new trigger is refused
     * @throws BusyException if the job is busy and its block strategy is DISCARD
     */
    public Optional<String> accept(TriggerRequest trigger) {
        if (trigger.instanceId() != null && !trigger.instanceId().equals(instanceId)) {
            return Optional.of(
                    "this trigger is meant for instance %s, this is %s".formatted(trigger.instanceId(), instanceId));
        }
        return memory.admit(trigger.logId(), trigger.dispatch(), () -> offer(trigger));
    }

    /**
     * The same for a message.
     *
     * @throws UnavailableException if at the moment nothing new is begun
     */
    public Optional<String> accept(MessageQueue queue, ClaimedMessage message) {
        // Before it is admitted as well: what is not begun now may come again, and is not to be remembered as refused.
        checkThatWorkMayStart();
        return memory.admit(message.logId(), 1, () -> {
            checkThatWorkMayStart();
            logs.pathOf(message.logId(), message.logDateTime());
            return lanes.submit(new Work(queue, message, instanceId));
        });
    }

    /** Whether this run or attempt has been accepted before, as far as that is remembered. */
    public boolean knows(long logId) {
        return memory.knows(logId);
    }

    /** From now on every new trigger and message is refused. When this returns, none is on its way to a lane. */
    public void close(String because) {
        memory.betweenAdmissions(() -> closedBecause = because);
    }

    private Optional<String> offer(TriggerRequest trigger) {
        checkThatWorkMayStart();
        if (trigger.blockStrategy() == BlockStrategy.CONCURRENT && trigger.concurrency() > MAX_CONCURRENCY) {
            return Optional.of(
                    "executorConcurrency must be at most %d, got %d".formatted(MAX_CONCURRENCY, trigger.concurrency()));
        }
        // A time that names no log file is refused here rather than found out by the lane.
        logs.pathOf(trigger.logId(), trigger.logDateTime());
        try {
            return lanes.submit(new Work(trigger, handlers.handlerOf(trigger)));
        } catch (NoHandlerException e) {
            return Optional.of(e.getMessage());
        }
    }

    private void checkThatWorkMayStart() {
        if (closedBecause != null) {
            throw new UnavailableException(closedBecause);
        }
        // It could not start now: an admin that reaches us although our beats do not reach it had better go elsewhere.
        if (!gate.isOpen()) {
            throw new UnavailableException("no admin acknowledges this executor's beats, so it starts nothing");
        }
    }
}
