package io.orth.admin.run;

import io.orth.admin.SettledConnections;
import io.orth.testkit.ThroughPgBouncer;
import org.junit.jupiter.api.Tag;

/** Runs are created and finished through a pooler in transaction mode. */
@Tag("must-kernel")
@ThroughPgBouncer(as = SettledConnections.class)
class PooledRunsDbTest extends RunsDbTest {}
