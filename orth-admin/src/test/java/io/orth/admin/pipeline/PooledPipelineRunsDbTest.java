package io.orth.admin.pipeline;

import io.orth.admin.SettledConnections;
import io.orth.testkit.ThroughPgBouncer;
import org.junit.jupiter.api.Tag;

/** Pipelines run through a pooler in transaction mode. */
@Tag("must-kernel")
@ThroughPgBouncer(as = SettledConnections.class)
class PooledPipelineRunsDbTest extends PipelineRunsDbTest {}
