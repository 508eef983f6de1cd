package io.orth.admin.api;

import io.orth.admin.kernel.Cluster;
import io.orth.admin.kernel.DatabaseClock;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Instant;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Which admins there are, and which of them does what for all. */
@RestController
class ClusterApi {

    private final Cluster cluster;
    private final DatabaseClock clock;

    ClusterApi(Cluster cluster, DatabaseClock clock) {
        this.cluster = cluster;
        this.clock = clock;
    }

    /**
     * The admins and what they do.
     *
     * @param databaseClockBehindMillis how far the database's clock is behind a time it showed before it went back; null where it is not
     */
    record ClusterView(List<NodeView> nodes, List<DutyView> duties, Long databaseClockBehindMillis) {}

    record NodeView(int number, String id, String host, long pid, String version, Instant startedAt) {

        static NodeView of(Cluster.Member node) {
            return new NodeView(node.number(), node.id(), node.host(), node.pid(), node.version(), node.startedAt());
        }
    }

    /**
     * What one node does for all.
     *
     * @param expiresAt null where its holder gave it back
     * @param held false where nobody has it now
     */
    record DutyView(String duty, String holder, long term, Instant acquiredAt, Instant expiresAt, boolean held) {

        static DutyView of(Cluster.SingleDuty duty) {
            return new DutyView(
                    duty.duty(), duty.holder(), duty.term(), duty.acquiredAt(), duty.expiresAt(), duty.held());
        }
    }

    @GetMapping("/api/cluster")
    @Access(Role.VIEWER)
    ClusterView cluster() {
        return new ClusterView(
                cluster.members().stream().map(NodeView::of).toList(),
                cluster.duties().stream().map(DutyView::of).toList(),
                clock.setback().map(setback -> setback.left().toMillis()).orElse(null));
    }
}
