package io.orth.admin.pipeline;

import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * A pipeline as it is now.
 *
 * @param pausedStages the names of those of which nothing new begins
 */
public record Pipeline(
        String name,
        String description,
        int version,
        boolean paused,
        List<Stage> stages,
        Set<String> pausedStages,
        String updatedBy,
        Instant updatedAt) {

    public Pipeline {
        stages = List.copyOf(stages);
        pausedStages = Set.copyOf(pausedStages);
    }
}
