package io.orth.admin.systemlog;

import io.orth.admin.kernel.Cluster;
import io.orth.admin.kernel.Cluster.Seat;
import io.orth.admin.kernel.Cluster.SingleDuty;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.kernel.Node;
import io.orth.runtime.Duty;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Logs duties that this node has taken over, and nodes that disappeared without releasing their seats. */
final class ClusterNews implements Duty {

    private static final String ANOTHER = "another admin";

    private final Cluster cluster;
    private final Node node;
    private final Liveness liveness;
    private final SystemLog log;

    /**
     * Holders of all duties in the previous pass; null before the first pass. This field and the next are used by the loop's thread only.
     */
    private Map<String, String> holders;

    /** Nodes that were alive in the previous pass, and when their seats expired. */
    private Map<String, Instant> alive = Map.of();

    ClusterNews(Cluster cluster, Node node, Liveness liveness, SystemLog log) {
        this.cluster = cluster;
        this.node = node;
        this.liveness = liveness;
        this.log = log;
    }

    @Override
    public Pass run() {
        tellTakenOver();
        if (liveness.mayJudge()) {
            tellGone();
        }
        return Pass.DRAINED;
    }

    private void tellTakenOver() {
        Map<String, String> now = new HashMap<>();
        Map<String, Set<String>> takenFrom = new TreeMap<>();
        for (SingleDuty duty : cluster.duties()) {
            now.put(duty.duty(), duty.holder());
            String before = holders == null ? ANOTHER : holders.get(duty.duty());
            boolean ours = duty.held() && duty.holder().equals(node.id());
            if (ours && duty.term() > 1 && !node.id().equals(before)) {
                takenFrom
                        .computeIfAbsent(before == null ? ANOTHER : before, any -> new TreeSet<>())
                        .add(duty.duty());
            }
        }
        holders = now;
        takenFrom.forEach((from, duties) ->
                log.info("admin %s took over from %s: %s".formatted(node.id(), from, String.join(", ", duties))));
    }

    /** Logs lost nodes, on one of the remaining nodes only. If a database outage cost every node its seat, none is logged. */
    private void tellGone() {
        Map<String, Seat> seats = new HashMap<>();
        TreeMap<String, Instant> now = new TreeMap<>();
        for (Seat seat : cluster.seats()) {
            seats.merge(seat.node(), seat, ClusterNews::later);
            if (seat.alive()) {
                now.put(seat.node(), seat.expiresAt());
            }
        }
        if (!now.isEmpty() && now.firstKey().equals(node.id())) {
            alive.forEach((gone, until) -> {
                if (!now.containsKey(gone) && !gaveItBack(seats.get(gone), until)) {
                    log.warn("admin %s is gone without a word; others take over what it did".formatted(gone));
                }
            });
        }
        alive = now;
    }

    /** Returns the seat that expires later. A node that lost its seat and took another one has two. */
    private static Seat later(Seat one, Seat other) {
        return one.expiresAt().isAfter(other.expiresAt()) ? one : other;
    }

    /** Returns whether the node released its seat: a clean shutdown shortens the seat's lease. */
    private static boolean gaveItBack(Seat seat, Instant until) {
        return seat != null && seat.expiresAt().isBefore(until);
    }
}
