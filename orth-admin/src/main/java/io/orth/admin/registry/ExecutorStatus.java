package io.orth.admin.registry;

import io.orth.admin.kernel.Rescue;
import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Where an executor instance stands; the diagram is in the package's description. */
public enum ExecutorStatus implements Status<ExecutorStatus> {
    /** Beats arrive. */
    @Rescue(
            by = "registry-sweeper",
            when = "its heartbeats are missing",
            after = "orth.registry.heartbeat-timeout (15 s) and a failed probe")
    @Rescue(
            by = "foreign-sweeper",
            when = "it is an XXL-JOB executor that has not registered",
            after = "orth.xxl-job.silent-after (90 s)")
    ONLINE,
    /** It said that it leaves. */
    @Rescue(by = "executor-pruner", when = "it does not come back", after = "orth.registry.keep-gone (15 d)")
    OFFLINE,
    /** It went away without a word. */
    @Rescue(by = "executor-pruner", when = "it does not come back", after = "orth.registry.keep-gone (15 d)")
    DEAD;

    /**
     * Whether it gets no more work; SQL asks the same of {@code orth_is_gone}. Whether its work is lost is asked of
     * {@code orth_work_is_lost}, which waits for the results of one that deregistered.
     */
    public boolean isGone() {
        return this != ONLINE;
    }

    @Override
    public Set<ExecutorStatus> next() {
        return this == ONLINE ? EnumSet.of(OFFLINE, DEAD) : EnumSet.of(ONLINE);
    }
}
