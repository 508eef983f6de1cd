package io.orth.admin.pipeline;

/**
 * How far one stage of a run is.
 *
 * @param stage its place, from 0
 * @param expected how many tasks it has; null until all of them are made
 */
public record Progress(
        int stage,
        int stageId,
        String name,
        boolean paused,
        Long expected,
        long completed,
        long failed,
        long cancelled) {

    public long over() {
        return completed + failed + cancelled;
    }

    /** Whether nothing of it is awaited any more. */
    boolean isOver() {
        return expected != null && over() >= expected;
    }

    /** From 0 to 1. */
    double share() {
        return expected == null ? 0 : expected == 0 ? 1 : Math.min(1, (double) over() / expected);
    }
}
