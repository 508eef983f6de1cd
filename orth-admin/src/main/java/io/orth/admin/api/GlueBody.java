package io.orth.admin.api;

import io.orth.admin.kernel.OrthException;
import io.orth.protocol.GlueType;
import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Source text that a job runs instead of a handler.
 *
 * @param source unchanged in an update if missing
 * @param note short reason for the change
 */
record GlueBody(String type, String source, String note) {

    GlueType toType() {
        ProblemField.required("glue.type", type);
        return Arrays.stream(GlueType.values())
                .filter(known -> known != GlueType.BEAN && known.name().equals(type))
                .findFirst()
                .orElseThrow(() -> OrthException.invalid("glue.type", "must be one of " + types()));
    }

    private static String types() {
        return Arrays.stream(GlueType.values())
                .filter(known -> known != GlueType.BEAN)
                .map(GlueType::name)
                .collect(Collectors.joining(", "));
    }
}
