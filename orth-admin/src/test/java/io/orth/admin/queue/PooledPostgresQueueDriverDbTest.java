package io.orth.admin.queue;

import io.orth.admin.SettledConnections;
import io.orth.testkit.ThroughPgBouncer;
import org.junit.jupiter.api.Tag;

/** Queues work through a pooler in transaction mode. */
@Tag("must-kernel")
@ThroughPgBouncer(as = SettledConnections.class)
class PooledPostgresQueueDriverDbTest extends PostgresQueueDriverDbTest {}
