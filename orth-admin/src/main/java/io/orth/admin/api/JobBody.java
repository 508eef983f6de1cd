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
 * Job in a request.
 *
 * @param param parameter of the handler; empty if missing
 * @param schedule if missing, the job runs only when triggered manually or by the API
 * @param misfire {@code FIRE_ONCE} if missing
 * @param handler handler in the executor's code; missing if {@code glue} is given
 * @param blockStrategy treatment of a run while the job is busy; {@code SERIAL} if missing
 * @param blockScope scope in which the job counts as busy; {@code EXECUTOR} if missing
 * @param concurrency concurrent runs on one executor, with {@code CONCURRENT}; 1 if missing
 * @param timeoutSeconds how long a run may take; 0, without limit, if missing
 * @param routing how the executor of a run is chosen; {@code ROUND} if missing
 * @param addresses the only executors of the group that may get the job's runs, preferred ones first; all if missing
 * @param glue source text to run instead of a handler
 * @param maxAttempts attempts of a run, the first included; 1 if missing
 * @param backoff if missing, ten seconds, doubling up to an hour
 * @param children jobs that each success triggers; none if missing
 * @param enabled whether the schedule fires; true if missing
 * @param version in an update: version that the caller has loaded
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

    /** Returns the change to the source made by {@code caller} with this request. */
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

    /** Checks the number of addresses before parsing any of them. */
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
