package io.orth.admin.queue;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.Map;
import java.util.Set;

/** Status of a message. The table below is the complete state machine; no other code defines transitions. */
public enum MessageStatus implements Status<MessageStatus> {
    /** Waiting for an executor, now or when it is due. */
    @Rescue(
            by = "queue-desk",
            when = "it is due and its notification was lost",
            after = "1 s, if an executor polls its queue")
    @Rescue(
            by = "lost-work-detector",
            when = "an earlier message with the same ordering key is stuck",
            after = "as for that message")
    WAITING,
    /** Claimed by an executor that has not reported a result. */
    @Rescue(
            by = "message-rescuer",
            when = "its executor is offline or dead",
            after =
                    "orth.registry.heartbeat-timeout (15 s) and a failed probe; orth.registry.deregistration-grace-period (20 s) if it deregistered")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and has finished it or never received it",
            after = "two rounds of orth.registry.verify-interval (30 s), for work older than two intervals")
    @Rescue(
            by = "lost-work-detector",
            when = "its executor is online and cannot be queried",
            after = "orth.registry.verify-timeout (7 d)")
    @Rescue(
            by = "completion-intake",
            when = "its handler completed it in its own transaction, and the notification was lost",
            after = "1 s")
    @Rescue(
            by = "completion-intake",
            when = "that completion cannot be recorded",
            after = "ten attempts over nine minutes; then it becomes a dead letter")
    RUNNING,
    DONE,
    /** Dead-lettered, and kept until an operator retries or discards it or its retention ends. */
    @Rescue(
            by = "dead-letter-keeper",
            when = "it is neither retried nor discarded",
            after = "orth.queue.keep-dead (180 d)")
    DEAD,
    /** Discarded by an operator or, as a dead letter, at the end of its retention. */
    DISCARDED;

    private static final Map<MessageStatus, Set<MessageStatus>> NEXT = Map.of(
            WAITING, Set.of(RUNNING, DISCARDED),
            RUNNING, Set.of(DONE, WAITING, DEAD),
            DEAD, Set.of(WAITING, DISCARDED));

    @Override
    public Set<MessageStatus> next() {
        return NEXT.getOrDefault(this, Set.of());
    }
}
