package io.orth.e2e;

import io.orth.admin.kernel.FaultInjector;

/** Ends the process at the named fault point as {@code kill -9} would: no hooks, no clean-up. */
public final class HaltAtFaultPoint implements FaultInjector {

    /** The system property that names the point. */
    static final String PROPERTY = "orth.e2e.halt-at";

    /** The exit code after {@code kill -9}. */
    static final int KILLED = 137;

    @Override
    public void reached(String point) {
        if (point.equals(System.getProperty(PROPERTY))) {
            Runtime.getRuntime().halt(KILLED);
        }
    }
}
