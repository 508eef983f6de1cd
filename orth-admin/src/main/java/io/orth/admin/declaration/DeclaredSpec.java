package io.orth.admin.declaration;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.ChildJob;
import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RetryPolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.kernel.OrthException;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.GlueType;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A declaration as a job's definition. Code says nothing about children, addresses and the longest wait between retries: there the
 * job keeps what it has.
 */
final class DeclaredSpec {

    private final DeclaredJob said;
    private final int groupId;

    DeclaredSpec(DeclaredJob said, int groupId) {
        this.said = said;
        this.groupId = groupId;
    }

    /** The definition of a new job. */
    JobSpec alone() {
        return with(List.of(), List.of(), RetryPolicy.NEVER.longest());
    }

    /** What {@code current} would be if it were as declared. */
    JobSpec over(JobSpec current) {
        return with(
                current.routing().addresses(),
                current.after().children(),
                current.after().retry().longest());
    }

    /** Whether the job is as declared. */
    boolean isFollowedBy(JobSpec current) {
        try {
            return over(current).equals(current);
        } catch (OrthException e) {
            // Taken once, and no longer understood: then nobody can say that the job is like it.
            return false;
        }
    }

    private JobSpec with(List<String> addresses, List<ChildJob> children, Duration longest) {
        requireWhole("name", said.name());
        requireWhole("handler", said.handler());
        requireWhole("param", said.param());
        DeclaredJob.Rules rules = said.rules();
        Duration backoff =
                rules.backoffMillis() == null ? RetryPolicy.NEVER.backoff() : Duration.ofMillis(rules.backoffMillis());
        RetryPolicy retry =
                new RetryPolicy(rules.retries(), backoff, backoff.compareTo(longest) > 0 ? backoff : longest);
        return new JobSpec(
                said.name(),
                groupId,
                said.handler(),
                said.param(),
                schedule(),
                oneOf("misfire", MisfirePolicy.class, rules.misfire(), MisfirePolicy.FIRE_ONCE),
                new Execution(
                        oneOf("blockStrategy", BlockStrategy.class, rules.blockStrategy(), BlockStrategy.SERIAL),
                        rules.concurrency(),
                        rules.timeoutSeconds(),
                        GlueType.BEAN),
                new Routing(
                        oneOf("routing", RouteStrategy.class, rules.routing(), Routing.DEFAULT.strategy()), addresses),
                new AfterRun(retry, children));
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

    /** Half of a surrogate pair cannot be stored. */
    private static void requireWhole(String field, String text) {
        if (!StandardCharsets.UTF_8.newEncoder().canEncode(text)) {
            throw OrthException.invalid(field, "contains half a character");
        }
    }
}
