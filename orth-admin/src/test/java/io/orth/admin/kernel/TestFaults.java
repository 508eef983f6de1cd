package io.orth.admin.kernel;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Actions of tests at fault points; none by default. */
public final class TestFaults implements FaultInjector {

    private static final Map<String, Runnable> FAULTS = new ConcurrentHashMap<>();

    /** As if the process had died: nothing catches it. */
    public static final class Died extends Error {

        private static final long serialVersionUID = 1L;

        public Died(String point) {
            super("died at " + point);
        }
    }

    public static void at(String point, Runnable fault) {
        FAULTS.put(point, fault);
    }

    /** The calling thread dies when it next comes to the point; others pass. */
    public static void dieOnceAt(String point) {
        Thread victim = Thread.currentThread();
        at(point, () -> {
            if (Thread.currentThread() == victim && FAULTS.remove(point) != null) {
                throw new Died(point);
            }
        });
    }

    public static void clear() {
        FAULTS.clear();
    }

    @Override
    public void reached(String point) {
        Runnable fault = FAULTS.get(point);
        if (fault != null) {
            fault.run();
        }
    }
}
