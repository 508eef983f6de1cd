package io.orth.admin.triggering.routing;

/** Hash that distributes numbers and texts evenly over all longs; identical on every node and in every version. */
final class Mix {

    private static final long STEP = 0x9E3779B97F4A7C15L;

    private Mix() {}

    /** Returns the SplitMix64 finalizer of {@code number}. */
    static long of(long number) {
        long mixed = number + STEP;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    static long of(long number, String text) {
        long mixed = of(number);
        for (int i = 0; i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * STEP;
        }
        return of(mixed);
    }
}
