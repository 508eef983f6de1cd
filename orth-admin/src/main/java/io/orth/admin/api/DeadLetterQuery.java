package io.orth.admin.api;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetterFilter;
import java.util.function.ToIntFunction;
import org.springdoc.core.annotations.ParameterObject;

/** Filter of dead letters in queries and bodies. Missing fields match all dead letters. */
@ParameterObject
record DeadLetterQuery(
        DeadKind kind,
        String queue,
        String jobId,
        String handler,
        String traceId,
        String fingerprint,
        String error,
        String from,
        String to) {

    /** @param queueId finds the id of a queue by its name */
    DeadLetterFilter toFilter(ToIntFunction<String> queueId) {
        String name = Filters.text("queue", queue);
        return new DeadLetterFilter(
                kind,
                name == null ? null : queueId.applyAsInt(name),
                Ids.parseOptionalInt("jobId", jobId),
                Filters.text("handler", handler),
                Filters.text("traceId", traceId),
                Filters.text("fingerprint", fingerprint),
                Filters.text("error", error),
                Instants.parseOptional("from", from),
                Instants.parseOptional("to", to));
    }
}
