package io.orth.admin.registry;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Status of an executor instance. The package description has the state diagram. */
public enum ExecutorStatus implements Status<ExecutorStatus> {
    /** Heartbeats arrive. */
    @Rescue(
            by = "registry-sweeper",
            when = "its heartbeats are missing",
            after = "orth.registry.heartbeat-timeout (15 s) and a failed probe")
    @Rescue(
            by = "foreign-sweeper",
            when = "it is an XXL-JOB executor that has not registered",
            after = "orth.xxl-job.silent-after (90 s)")
    ONLINE,
    /** The executor has deregistered. */
    @Rescue(by = "executor-pruner", when = "it does not come back", after = "orth.registry.keep-gone (15 d)")
    OFFLINE,
    /** The executor stopped sending heartbeats without deregistering, or was replaced. */
    @Rescue(by = "executor-pruner", when = "it does not come back", after = "orth.registry.keep-gone (15 d)")
    DEAD;

    /**
     * Returns whether the executor gets no more work, like {@code orth_is_gone} in SQL. Whether its work is lost is decided by
     * {@code orth_work_is_lost}, which also waits for the results of a deregistered executor.
     */
    public boolean isGone() {
        return this != ONLINE;
    }

    @Override
    public Set<ExecutorStatus> next() {
        return this == ONLINE ? EnumSet.of(OFFLINE, DEAD) : EnumSet.of(ONLINE);
    }
}
