package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * The current definition of a pipeline.
 *
 * @param pausedStages the names of paused stages
 */
public record Pipeline(
        String name,
        String description,
        int version,
        boolean paused,
        @JsonIgnore List<Stage> stages,
        @JsonIgnore Set<String> pausedStages,
        String updatedBy,
        Instant updatedAt) {

    public Pipeline {
        stages = List.copyOf(stages);
        pausedStages = Set.copyOf(pausedStages);
    }
}
