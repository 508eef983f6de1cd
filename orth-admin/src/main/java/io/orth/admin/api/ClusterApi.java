package io.orth.admin.api;

import io.orth.admin.kernel.Cluster;
import io.orth.admin.kernel.DatabaseClock;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint for the admins of the cluster and the duties that each of them holds. */
@RestController
class ClusterApi {

    private final Cluster cluster;
    private final DatabaseClock clock;

    ClusterApi(Cluster cluster, DatabaseClock clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /**
     * Admins and their duties.
     *
     * @param databaseClockBehindMillis how far the database's clock is behind the time it showed before it went back; null if it is not
     */
    record ClusterView(List<Cluster.Member> nodes, List<Cluster.SingleDuty> duties, Long databaseClockBehindMillis) {}

    @GetMapping("/api/cluster")
    @Access(Role.VIEWER)
    ClusterView cluster() {
        return new ClusterView(
                cluster.members(),
                cluster.duties(),
                clock.setback().map(setback -> setback.left().toMillis()).orElse(null));
    }
}
