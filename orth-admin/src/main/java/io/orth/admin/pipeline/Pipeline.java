package io.orth.admin.pipeline;

import com.fasterxml.jackson.annotation.JsonIgnore;
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
        @JsonIgnore List<Stage> stages,
        @JsonIgnore Set<String> pausedStages,
        String updatedBy,
        Instant updatedAt) {

    public Pipeline {
        stages = List.copyOf(stages);
        pausedStages = Set.copyOf(pausedStages);
    }
}
