package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * How far one stage of a run is.
 *
 * @param stage its place, from 0
 * @param expected how many tasks it has; null until all of them are made
 * @param fannedOutTo the last proposal of which a task was made
 * @param created how many were made so far
 */
public record Progress(
        @JsonIgnore long rootId,
        @JsonIgnore int stage,
        @JsonIgnore int stageId,
        String name,
        boolean paused,
        Long expected,
        long fannedOutTo,
        long created,
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

    /** Tasks that are known so far. */
    public long total() {
        return expected == null ? created : expected;
    }
}
