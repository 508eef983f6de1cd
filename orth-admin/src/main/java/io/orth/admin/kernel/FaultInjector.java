package io.orth.admin.kernel;

/** Code run at the named fault points. Found by {@link java.util.ServiceLoader}; only tests have one on their class path. */
@FunctionalInterface
public interface FaultInjector {

    void reached(String point);
}
