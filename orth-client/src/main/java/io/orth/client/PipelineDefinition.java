package io.orth.client;

import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A requested pipeline definition: its stages, in order.
 *
 * <pre>{@code
 * PipelineDefinition.of(
 *         Stage.of("courses", "hydrateAll.courses"),
 *         Stage.of("topics", "hydrateAll.topics").maxAttempts(5).concurrency(20).tolerance("5%"))
 *     .description("Writes course material")
 * }</pre>
 */
public final class PipelineDefinition {

    private static final int MOST_STAGES = 20;
    private static final int LONGEST_DESCRIPTION = 1_000;

    private final List<Stage> stages;
    private final String description;

    private PipelineDefinition(List<Stage> stages, String description) {
        this.stages = stages;
        this.description = description;
    }

    public static PipelineDefinition of(Stage... stages) {
        return of(Arrays.asList(stages));
    }

    public static PipelineDefinition of(List<Stage> stages) {
        Checks.that(!stages.isEmpty() && stages.size() <= MOST_STAGES, "stages must be 1 to " + MOST_STAGES);
        Set<String> names = new HashSet<>();
        for (int i = 0; i < stages.size(); i++) {
            Checks.that(names.add(stages.get(i).name()), "stages[%d].name is taken by another stage".formatted(i));
        }
        return new PipelineDefinition(List.copyOf(stages), "");
    }

    public PipelineDefinition description(String value) {
        Checks.that(
                value.length() <= LONGEST_DESCRIPTION && value.indexOf('\0') < 0,
                "description must have at most %d characters".formatted(LONGEST_DESCRIPTION));
        return new PipelineDefinition(stages, value);
    }

    Map<String, Object> toBody() {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("description", description);
        body.put("stages", stages.stream().map(Stage::toBody).toList());
        return body;
    }
}
