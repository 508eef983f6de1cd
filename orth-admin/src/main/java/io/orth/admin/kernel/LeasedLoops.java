package io.orth.admin.kernel;

import io.orth.runtime.Duty.Pass;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.IntSupplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Adds loops that run on one node of the cluster at a time, each under a lease with the loop's name. */
@Component
public final class LeasedLoops {

    private final Loops loops;
    private final JdbcClient jdbc;
    private final Node node;
    private final Transactions transactions;

    public LeasedLoops(Loops loops, JdbcClient jdbc, Node node, Transactions transactions) {
        this.loops = loops;
        this.jdbc = jdbc;
        this.node = node;
        this.transactions = transactions;
    }

    /**
     * Adds a loop that runs while this node holds the lease.
     *
     * @param ttl lease duration, counted from the start of a pass
     */
    public PeriodicLoop add(
            String name, Duration every, Duration ttl, Function<ClusterLease, LeasedDuty.FencedPass> pass) {
        ClusterLease lease = new ClusterLease(jdbc, name, node, ttl);
        return loops.add(name, LoopTiming.every(every), new LeasedDuty(lease, pass.apply(lease)));
    }

    /**
     * Adds a loop with one transaction per pass, fenced by the lease's term. {@code work} returns how many of {@code batch} rows it
     * handled.
     */
    public PeriodicLoop add(String name, Duration every, Duration ttl, int batch, IntSupplier work) {
        return add(
                name,
                every,
                ttl,
                lease -> term -> Pass.after(transactions.call(() -> lease.confirm(term) ? work.getAsInt() : 0), batch));
    }
}
