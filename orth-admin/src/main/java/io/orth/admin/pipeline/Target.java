package io.orth.admin.pipeline;

import io.orth.admin.kernel.JsonText;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.PlainText;
import java.util.Map;

/**
 * The subject of a task.
 *
 * @param params parameters for its handler, as JSON; null for none
 */
public record Target(String type, String id, String params, Map<String, String> meta) {

    static final int MOST_PARAMS = 8_192;

    private static final int LONGEST_ID = 200;
    private static final int MOST_META = 20;
    private static final int LONGEST_META_NAME = 64;
    private static final int LONGEST_META = 256;

    /** The only target of a run submitted without targets: the whole scope. */
    static final Target WHOLE = new Target("scope", "all", null, Map.of());

    public Target {
        meta = Map.copyOf(meta);
        PipelineSpec.checkName("targetType", type);
        PlainText.require("targetId", id, LONGEST_ID);
        if (!JsonText.fits(params, MOST_PARAMS)) {
            throw OrthException.invalid("params", "must be JSON of at most %d bytes".formatted(MOST_PARAMS));
        }
        checkMeta(meta);
    }

    static void checkMeta(Map<String, String> meta) {
        if (meta.size() > MOST_META) {
            throw OrthException.invalid("meta", "must have at most %d entries".formatted(MOST_META));
        }
        meta.forEach((name, value) -> {
            if (name.isBlank() || !PlainText.fits(name, LONGEST_META_NAME) || !PlainText.fits(value, LONGEST_META)) {
                throw OrthException.invalid(
                        "meta",
                        "must have names of 1 to %d and values of at most %d characters, without control characters"
                                .formatted(LONGEST_META_NAME, LONGEST_META));
            }
        });
    }
}
