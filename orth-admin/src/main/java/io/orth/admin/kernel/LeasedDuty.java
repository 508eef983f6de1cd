package io.orth.admin.kernel;

import io.orth.runtime.Duty;
import java.util.OptionalLong;

/** A duty that runs on one node of the cluster at a time: the holder of the lease. */
public final class LeasedDuty implements Duty {

    /** One pass under a lease's term; its transactions must {@link ClusterLease#confirm} that term. */
    @FunctionalInterface
    public interface FencedPass {
        Pass run(long term) throws Exception;
    }

    private final ClusterLease lease;
    private final FencedPass pass;

    public LeasedDuty(ClusterLease lease, FencedPass pass) {
        this.lease = lease;
        this.pass = pass;
    }

    @Override
    public Pass run() throws Exception {
        OptionalLong term = lease.hold();
        return term.isPresent() ? pass.run(term.getAsLong()) : Pass.DRAINED;
    }

    /** Releases the lease, so the next node need not wait until it expires. */
    @Override
    public void ended() {
        lease.release();
    }
}
