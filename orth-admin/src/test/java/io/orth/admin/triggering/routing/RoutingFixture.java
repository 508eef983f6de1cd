package io.orth.admin.triggering.routing;

import io.orth.admin.job.JobSpecs;
import io.orth.admin.job.RouteStrategy;
import io.orth.admin.registry.ExecutorKind;
import io.orth.admin.registry.Target;
import io.orth.admin.run.Lineage;
import io.orth.admin.run.Route;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunAlarm;
import io.orth.admin.run.RunCause;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.TriggerType;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;

/** Runs and executors that exist in memory only. */
final class RoutingFixture {

    static final int GROUP = 1;

    private RoutingFixture() {}

    /** {@code n} executors, by address. */
    static List<Target> executors(int n) {
        return IntStream.range(0, n).mapToObj(RoutingFixture::executor).toList();
    }

    static Target executor(int i) {
        String address = "http://10.0.%d.%d:9999".formatted(i / 250, i % 250);
        return new Target(i, "instance-" + i, GROUP, address, "token", true, ExecutorKind.ORTH);
    }

    /** A run of {@code job} with this {@code turn}; null if a schedule did not fire it. */
    static Run run(int job, long id, Long turn) {
        return run(job, id, new Route(RouteStrategy.ROUND, List.of(), turn, Route.Shard.WHOLE));
    }

    static Run run(int job, long id, Route route) {
        return new Run(
                id,
                job,
                "job",
                GROUP,
                "handler",
                "",
                TriggerType.API,
                null,
                Instant.EPOCH,
                RunStatus.INIT,
                RunCause.CREATED,
                0,
                null,
                0,
                null,
                0,
                null,
                null,
                null,
                null,
                null,
                JobSpecs.PLAIN,
                null,
                null,
                route,
                Lineage.FIRST,
                null,
                RunAlarm.UNDECIDED,
                false);
    }
}
