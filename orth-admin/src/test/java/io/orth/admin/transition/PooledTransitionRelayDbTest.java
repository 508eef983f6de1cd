package io.orth.admin.transition;

import io.orth.admin.SettledConnections;
import io.orth.testkit.ThroughPgBouncer;
import org.junit.jupiter.api.Tag;

/** Transitions are relayed through a pooler in transaction mode. */
@Tag("must-kernel")
@ThroughPgBouncer(as = SettledConnections.class)
class PooledTransitionRelayDbTest extends TransitionRelayDbTest {}
