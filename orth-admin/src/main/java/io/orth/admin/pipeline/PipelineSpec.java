package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A requested pipeline definition.
 *
 * @param version the expected current version, to detect concurrent changes; null for no check
 */
public record PipelineSpec(String name, String description, List<Stage> stages, Integer version) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final int MOST_STAGES = 20;
    private static final int LONGEST_DESCRIPTION = 1_000;

    public PipelineSpec {
        stages = List.copyOf(stages);
        checkName("name", name);
        if (description.length() > LONGEST_DESCRIPTION || description.indexOf('\0') >= 0) {
            throw OrthException.invalid(
                    "description", "must have at most %d characters".formatted(LONGEST_DESCRIPTION));
        }
        if (stages.isEmpty() || stages.size() > MOST_STAGES) {
            throw OrthException.invalid("stages", "must be 1 to %d".formatted(MOST_STAGES));
        }
        Set<String> names = new HashSet<>();
        Set<String> queues = new HashSet<>();
        for (int i = 0; i < stages.size(); i++) {
            Stage stage = stages.get(i);
            if (!names.add(stage.name())) {
                throw OrthException.invalid("stages[%d].name".formatted(i), "is taken by another stage");
            }
            boolean own = stage.queue() == null || queues.add(stage.queue());
            if (!own && stages.stream().anyMatch(each -> shares(each, stage) && each.concurrency() != null)) {
                throw OrthException.invalid(
                        "stages[%d].queue".formatted(i),
                        "is shared by stages, of which none can limit concurrency then");
            }
        }
    }

    static void checkName(String field, String name) {
        if (name == null || !NAME.matcher(name).matches()) {
            throw OrthException.invalid(field, "must be 1 to 64 letters, digits, dots, dashes or underscores");
        }
    }

    private static boolean shares(Stage one, Stage other) {
        return other.queue().equals(one.queue());
    }
}
