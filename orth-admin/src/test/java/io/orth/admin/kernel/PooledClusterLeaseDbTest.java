package io.orth.admin.kernel;

import io.orth.admin.SettledConnections;
import io.orth.testkit.ThroughPgBouncer;
import org.junit.jupiter.api.Tag;

/** Leases are held through a pooler in transaction mode. */
@Tag("must-kernel")
@ThroughPgBouncer(as = SettledConnections.class)
class PooledClusterLeaseDbTest extends ClusterLeaseDbTest {}
