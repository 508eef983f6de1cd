package io.orth.admin.api;

import io.orth.admin.job.AfterRun;
import io.orth.admin.job.BlockScope;
import io.orth.admin.job.Execution;
import io.orth.admin.job.JobSpec;
import io.orth.admin.job.MisfirePolicy;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.job.Routing;
import io.orth.admin.job.Schedule;
import io.orth.admin.job.SourceEdit;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.admin.registry.ExecutorAddress;
import io.orth.admin.security.Principal;
import io.orth.admin.security.Role;
import io.orth.protocol.BlockStrategy;
import io.orth.protocol.GlueType;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a job is to be.
 *
 * @param param what the handler gets; none where it is missing
 * @param schedule only by hand and by the API where it is missing
 * @param misfire {@code FIRE_ONCE} where it is missing
 * @param handler the executor's own code to run; missing where {@code glue} is given
 * @param blockStrategy what becomes of a run while the job is busy; {@code SERIAL} where it is missing
 * @param blockScope where the job counts as busy for that; {@code EXECUTOR} where it is missing
 * @param concurrency how many runs at once on one executor, with {@code CONCURRENT}; 1 where it is missing
 * @param timeoutSeconds how long a run may take; 0, for as long as it wants, where it is missing
 * @param routing how the executor of a run is chosen; {@code ROUND} where it is missing
 * @param addresses the only executors of the group that may take its runs, those preferred first; all where it is missing
 * @param glue source text to run instead of a handler
 * @param maxAttempts attempts of a run, the first included; 1 where it is missing
 * @param backoff ten seconds, which double up to an hour, where it is missing
 * @param children jobs that each success fires; none where it is missing
 * @param enabled whether it fires by its schedule; true where it is missing
 * @param version when changing a job: the one that was loaded
 */
record JobBody(
        String name,
        String groupId,
        String handler,
        String param,
        ScheduleBody schedule,
        MisfirePolicy misfire,
        BlockStrategy blockStrategy,
        BlockScope blockScope,
        Integer concurrency,
        Integer timeoutSeconds,
        RouteStrategy routing,
        List<String> addresses,
        GlueBody glue,
        Integer maxAttempts,
        BackoffBody backoff,
        List<ChildBody> children,
        Boolean enabled,
        Integer version) {

    JobSpec toSpec() {
        Schedule when = schedule == null ? new Schedule.None() : schedule.toSchedule();
        return new JobSpec(
                name,
                Ids.parseInt("groupId", ProblemField.required("groupId", groupId)),
                handler,
                param == null ? "" : param,
                when,
                misfire == null ? MisfirePolicy.FIRE_ONCE : misfire,
                toExecution(),
                new Routing(routing == null ? Routing.DEFAULT.strategy() : routing, parseAddresses()),
                toAfterRun());
    }

    private AfterRun toAfterRun() {
        if (children != null && children.contains(null)) {
            throw OrthException.invalid("children", "must not contain null");
        }
        return new AfterRun(
                new RetryPolicy(
                        maxAttempts == null ? AfterRun.NO_RETRIES.maxAttempts() : maxAttempts,
                        BackoffBody.toBackoff(backoff, AfterRun.NO_RETRIES.backoff())),
                children == null
                        ? List.of()
                        : children.stream().map(ChildBody::toChild).toList());
    }

    /** What {@code caller} says about the source by saving this. */
    SourceEdit toSourceEdit(Principal caller) {
        return new SourceEdit(
                glue == null ? null : glue.source(),
                glue == null || glue.note() == null ? "" : glue.note().strip(),
                caller.name(),
                caller.role().isAtLeast(Role.ADMIN));
    }

    private Execution toExecution() {
        return new Execution(
                blockStrategy == null ? BlockStrategy.SERIAL : blockStrategy,
                blockScope == null ? BlockScope.EXECUTOR : blockScope,
                concurrency == null ? 1 : concurrency,
                timeoutSeconds == null ? 0 : timeoutSeconds,
                glue == null ? GlueType.BEAN : glue.toType());
    }

    /** Counted before they are looked at one by one. */
    private List<String> parseAddresses() {
        if (addresses == null) {
            return List.of();
        }
        if (addresses.size() > Routing.MOST_ADDRESSES) {
            throw OrthException.invalid("addresses", "must be at most %d".formatted(Routing.MOST_ADDRESSES));
        }
        return IntStream.range(0, addresses.size())
                .mapToObj(i -> parseAddress("addresses[%d]".formatted(i), addresses.get(i)))
                .toList();
    }

    private static String parseAddress(String field, String address) {
        return ExecutorAddress.parse(field, ProblemField.required(field, address))
                .text();
    }

    boolean toBeEnabled() {
        return enabled == null || enabled;
    }
}
