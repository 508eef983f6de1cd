package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * Progress of one stage of a run.
 *
 * @param stage the index of the stage, from 0
 * @param expected the number of its tasks; null until all of them are created
 * @param fannedOutTo the id of the last proposal that was fanned out
 * @param created the number of tasks created so far
 */
public record Progress(
        @JsonIgnore long rootId,
        @JsonIgnore int stage,
        @JsonIgnore int stageId,
        String name,
        boolean paused,
        Long expected,
        @JsonIgnore long fannedOutTo,
        long created,
        long completed,
        long failed,
        long cancelled) {

    public long over() {
        return completed + failed + cancelled;
    }

    /** Returns whether all tasks of the stage are finished. */
    boolean isOver() {
        return expected != null && over() >= expected;
    }

    /** Returns the number of tasks known so far. */
    public long total() {
        return expected == null ? created : expected;
    }
}
