package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A request to run a pipeline.
 *
 * @param scope and {@code options}: JSON that every task's handler receives
 * @param targets targets of the first stage; if empty, the whole scope is the only target
 * @param key idempotency key: a repeated submission with the same key is the same run; null for none
 * @param by the user or client that submits
 */
public record Submission(
        String pipeline,
        String scope,
        String options,
        Map<String, String> meta,
        List<Target> targets,
        String key,
        String by,
        String traceId) {

    public static final int MOST_TARGETS = 1_000;

    private static final int MOST_BYTES = 262_144;
    private static final int LONGEST_KEY = 200;

    public Submission {
        meta = Map.copyOf(meta);
        targets = targets.isEmpty() ? List.of(Target.WHOLE) : List.copyOf(targets);
        if (!JsonText.fits(scope, MOST_BYTES)) {
            throw OrthException.invalid("scope", "must be JSON of at most %d bytes".formatted(MOST_BYTES));
        }
        if (!JsonText.fits(options, Target.MOST_PARAMS)) {
            throw OrthException.invalid("options", "must be JSON of at most %d bytes".formatted(Target.MOST_PARAMS));
        }
        Target.checkMeta(meta);
        if (targets.size() > MOST_TARGETS) {
            throw OrthException.invalid("scope.targets", "must be at most %d".formatted(MOST_TARGETS));
        }
        Set<List<String>> known = new HashSet<>();
        for (int i = 0; i < targets.size(); i++) {
            if (!known.add(List.of(targets.get(i).type(), targets.get(i).id()))) {
                throw OrthException.invalid("scope.targets[%d]".formatted(i), "is there twice");
            }
        }
        PlainText.check("Idempotency-Key", key, LONGEST_KEY);
    }
}
