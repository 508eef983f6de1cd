package io.orth.admin.boot;

import io.orth.admin.kernel.Loops;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Starts the background loops once everything else is ready, and stops them before anything else goes. */
@Component
final class LoopsLifecycle implements SmartLifecycle {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Loops loops;
    private volatile boolean running;

    LoopsLifecycle(Loops loops) {
        this.loops = loops;
    }

    @Override
    public void start() {
        loops.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        try {
            loops.stop(GRACE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
