package io.orth.admin.boot;

import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.systemlog.SystemLog;
import java.time.Duration;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/** Lifecycle of the background loops. They start after everything else is ready, and stop before anything else shuts down. */
@Component
final class LoopsLifecycle implements SmartLifecycle {

    private static final Duration GRACE = Duration.ofSeconds(5);

    private final Loops loops;
    private final Node node;
    private final InstallationGuard installation;
    private final SystemLog log;
    private volatile boolean running;

    LoopsLifecycle(Loops loops, Node node, InstallationGuard installation, SystemLog log) {
        this.installation = installation;
        this.loops = loops;
        this.node = node;
        this.log = log;
    }

    @Override
    public void start() {
        log.info("admin %s starts, version %s".formatted(node.id(), node.version()));
        if (installation.isPaused()) {
            log.warn(installation.state().explanation());
        }
        loops.start();
        running = true;
    }

    @Override
    public void stop() {
        running = false;
        log.info("admin %s stops".formatted(node.id()));
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
