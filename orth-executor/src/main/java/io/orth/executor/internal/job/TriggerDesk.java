package io.orth.executor.internal.job;

import io.orth.executor.internal.job.HandlerSource.NoHandlerException;
import io.orth.executor.internal.log.RunLogFiles;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.TriggerRequest;
import java.util.Optional;

/** Accepts triggers and queue messages into their lanes, or rejects them with a reason. */
public final class TriggerDesk {

    /** Thrown if a trigger is rejected only at this executor and time; another executor, or a later attempt, may accept it. */
    public static final class UnavailableException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        UnavailableException(String message) {
            super(message, null, false, false);
        }
    }

    /** Thrown if the job is busy and its block strategy is DISCARD; the trigger is skipped. */
    public static final class BusyException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        BusyException() {
            super(BlockStrategy.DISCARDED, null, false, false);
        }
    }

    /**
     * Upper bound of a job's concurrency. A higher value is surely a mistake, and one job must not take all threads of the
     * executor.
     */
    private static final int MAX_CONCURRENCY = 10_000;

    private final String instanceId;
    private final HandlerSource handlers;
    private final RunLogFiles logs;
    private final RunMemory memory;
    private final JobThreads lanes;
    private final StartGate gate;

    /** Reason why all triggers are rejected; null while they are accepted. */
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
     * Accepts a trigger. Returns the reason if it is rejected; empty if it is accepted, now or by an earlier copy.
     *
     * @throws UnavailableException if every new trigger is currently rejected
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
     * Accepts a message; otherwise as {@link #accept(TriggerRequest)}.
     *
     * @throws UnavailableException if nothing new may start at the moment
     */
    public Optional<String> accept(MessageQueue queue, ClaimedMessage message) {
        // Checked before the admission as well: a message that cannot start now may be delivered again and must not be
        // remembered as rejected.
        checkThatWorkMayStart();
        return memory.admit(message.logId(), 1, () -> {
            checkThatWorkMayStart();
            logs.pathOf(message.logId(), message.logDateTime());
            return lanes.submit(new Work(queue, message, instanceId));
        });
    }

    /** Returns whether this run or attempt is known to have been accepted before. */
    public boolean knows(long logId) {
        return memory.knows(logId);
    }

    /** Rejects all new triggers and messages from now on. When this returns, none is on its way to a lane. */
    public void close(String because) {
        memory.betweenAdmissions(() -> closedBecause = because);
    }

    private Optional<String> offer(TriggerRequest trigger) {
        checkThatWorkMayStart();
        if (trigger.blockStrategy() == BlockStrategy.CONCURRENT && trigger.concurrency() > MAX_CONCURRENCY) {
            return Optional.of(
                    "executorConcurrency must be at most %d, got %d".formatted(MAX_CONCURRENCY, trigger.concurrency()));
        }
        // Rejects a time that yields no log file here rather than later in the lane.
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
        // The run could not start now. If an admin reaches this executor although its heartbeats do not reach an admin,
        // another executor is the better choice.
        if (!gate.isOpen()) {
            throw new UnavailableException("no admin acknowledges this executor's beats, so it starts nothing");
        }
    }
}
