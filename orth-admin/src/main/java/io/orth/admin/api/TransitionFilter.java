package io.orth.admin.api;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.OrthException;
import io.orth.protocol.StateTransition;
import java.util.Arrays;

/** Filter of a transition stream; null components match everything. */
record TransitionFilter(EntityKind kind, Long entityId, Integer jobId, Integer groupId, Long rootId) {

    static TransitionFilter of(String kind, String entityId, String jobId, String groupId, String rootId) {
        return new TransitionFilter(
                kind(kind),
                Ids.parseOptionalLong("entityId", entityId),
                Ids.parseOptionalInt("jobId", jobId),
                Ids.parseOptionalInt("groupId", groupId),
                Ids.parseOptionalLong("rootId", rootId));
    }

    private static EntityKind kind(String text) {
        if (text == null || text.isBlank()) {
            return null;
        }
        return Arrays.stream(EntityKind.values())
                .filter(kind -> kind.name().equals(text))
                .findFirst()
                .orElseThrow(
                        () -> OrthException.invalid("kind", "must be one of " + Arrays.toString(EntityKind.values())));
    }

    boolean lets(StateTransition change) {
        return (kind == null || kind.name().equals(change.entity()))
                && (entityId == null || entityId == change.entityId())
                && (jobId == null || jobId.equals(change.work().jobId()))
                && (groupId == null || groupId.equals(change.work().groupId()))
                && (rootId == null || rootId.equals(change.work().rootId()));
    }
}
