package io.orth.admin.registry;

import io.orth.admin.kernel.Status;
import java.util.EnumSet;
import java.util.Set;

/** Where an executor instance stands; the diagram is in the package's description. */
public enum ExecutorStatus implements Status<ExecutorStatus> {
    /** Beats arrive. */
    ONLINE,
    /** It said that it leaves. */
    OFFLINE,
    /** It went away without a word. */
    DEAD;

    @Override
    public boolean isInitial() {
        return this == ONLINE;
    }

    @Override
    public Set<ExecutorStatus> next() {
        return this == ONLINE ? EnumSet.of(OFFLINE, DEAD) : EnumSet.of(ONLINE);
    }
}
