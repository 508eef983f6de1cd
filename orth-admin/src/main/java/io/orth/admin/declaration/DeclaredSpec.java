package io.orth.admin.declaration;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.protocol.BackoffMillis;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.GlueType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Job definition of a declaration. Declarations define neither children nor addresses, and a backoff is optional; the job keeps its values
 * for these.
 */
final class DeclaredSpec {

    private final DeclaredJob said;
    private final int groupId;

    DeclaredSpec(DeclaredJob said, int groupId) {
        this.said = said;
        this.groupId = groupId;
    }

    /** Returns the definition of a new job. */
    JobSpec alone() {
        return with(List.of(), AfterRun.NOTHING);
    }

    /** Returns {@code current} with all declared fields applied. */
    JobSpec over(JobSpec current) {
        return with(current.routing().addresses(), current.after());
    }

    /** Returns whether the job matches its declaration. */
    boolean isFollowedBy(JobSpec current) {
        try {
            return over(current).equals(current);
        } catch (OrthException e) {
            // The declaration was accepted earlier but is no longer valid, so the job cannot match it.
            return false;
        }
    }

    /** @param current source of the children, and of the backoff if none is declared */
    private JobSpec with(List<String> addresses, AfterRun current) {
        requireWhole("name", said.name());
        requireWhole("handler", said.handler());
        requireWhole("param", said.param());
        DeclaredJob.Rules rules = said.rules();
        Backoff backoff = current.retry()
                .backoff()
                .with(initialDelay(rules.backoff()), null, null, null)
                .with(rules.backoff());
        return new JobSpec(
                said.name(),
                groupId,
                said.handler(),
                said.param(),
                schedule(),
                oneOf("misfire", MisfirePolicy.class, rules.misfire(), MisfirePolicy.FIRE_ONCE),
                new Execution(
                        oneOf("blockStrategy", BlockStrategy.class, rules.blockStrategy(), BlockStrategy.SERIAL),
                        oneOf("blockScope", BlockScope.class, rules.blockScope(), BlockScope.EXECUTOR),
                        rules.concurrency(),
                        rules.timeoutSeconds(),
                        GlueType.BEAN),
                new Routing(
                        oneOf("routing", RouteStrategy.class, rules.routing(), Routing.DEFAULT.strategy()), addresses),
                new AfterRun(new RetryPolicy(rules.maxAttempts(), backoff), current.children()));
    }

    private static Duration initialDelay(BackoffMillis backoff) {
        return backoff == null || backoff.initialDelayMillis() == null
                ? AfterRun.NO_RETRIES.backoff().initialDelay()
                : Duration.ofMillis(backoff.initialDelayMillis());
    }

    private Schedule schedule() {
        DeclaredJob.Schedule when = said.schedule();
        if (when == null) {
            return new Schedule.None();
        }
        return switch (when.type()) {
            case "CRON" -> new Schedule.Cron(required("schedule.cron", when.cron()), when.zone());
            case "FIXED_RATE" -> new Schedule.FixedRate(interval(when));
            case "FIXED_DELAY" -> new Schedule.FixedDelay(interval(when));
            default ->
                throw OrthException.invalid(
                        "schedule.type", "must be CRON, FIXED_RATE or FIXED_DELAY; this admin knows no " + when.type());
        };
    }

    private static Duration interval(DeclaredJob.Schedule when) {
        return Duration.ofMillis(required("schedule.intervalMillis", when.intervalMillis()));
    }

    private static <T> T required(String field, T value) {
        if (value == null) {
            throw OrthException.invalid(field, "is missing");
        }
        return value;
    }

    private static <E extends Enum<E>> E oneOf(String field, Class<E> type, String name, E otherwise) {
        if (name == null) {
            return otherwise;
        }
        return Arrays.stream(type.getEnumConstants())
                .filter(value -> value.name().equals(name))
                .findFirst()
                .orElseThrow(() -> OrthException.invalid(
                        field,
                        Arrays.stream(type.getEnumConstants())
                                .map(Enum::name)
                                .collect(Collectors.joining(", ", "must be one of ", ""))));
    }

    /** Rejects unpaired surrogates, which cannot be stored. */
    private static void requireWhole(String field, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw OrthException.invalid(field, "contains half a character");
        }
    }
}
