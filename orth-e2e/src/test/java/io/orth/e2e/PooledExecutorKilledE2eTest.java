package io.orth.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

@Tag("must-kernel")
@BehindPooler
@EnabledIfSystemProperty(named = "orth.full", matches = "true")
class PooledExecutorKilledE2eTest extends ExecutorKilledE2eTest {}
