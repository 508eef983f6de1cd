package io.orth.e2e;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** In the short form the first of its tests only, which kills everything once. */
@Tag("must-kernel")
@BehindPooler
class PooledQueueE2eTest extends QueueE2eTest {

    @Override
    @Test
    @EnabledIfSystemProperty(named = "orth.full", matches = "true")
    void requeuesMessagesOfKilledWorkerWithinHalfAMinute() {
        super.requeuesMessagesOfKilledWorkerWithinHalfAMinute();
    }

    @Override
    @Test
    @EnabledIfSystemProperty(named = "orth.full", matches = "true")
    void rejectsResultOfZombie() throws Exception {
        super.rejectsResultOfZombie();
    }

    @Override
    @Test
    @EnabledIfSystemProperty(named = "orth.full", matches = "true")
    void interruptsZombieAndStartsNoneOfItsMessages() throws Exception {
        super.interruptsZombieAndStartsNoneOfItsMessages();
    }
}
