package io.orth.admin.api;

import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Node;
import io.orth.admin.registry.Executors;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.SystemLog;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that describe this admin and its installation, and resume a paused installation. */
@RestController
class SystemApi {

    private final Node node;
    private final Installation installation;
    private final Clock clock;
    private final InstallationGuard guard;
    private final Executors executors;
    private final SystemLog log;

    SystemApi(
            Node node,
            Installation installation,
            Clock clock,
            InstallationGuard guard,
            Executors executors,
            SystemLog log) {
        this.guard = guard;
        this.node = node;
        this.installation = installation;
        this.clock = clock;
        this.executors = executors;
        this.log = log;
    }

    record SystemView(
            String version,
            String node,
            String environment,
            String database,
            Instant time,
            InstallationGuard.State installation) {}

    @GetMapping("/api/system")
    @Access(Role.VIEWER)
    SystemView system() {
        return new SystemView(
                node.version(),
                node.id(),
                installation.environment(),
                installation.database(),
                clock.instant(),
                guard.state());
    }

    /**
     * Resumes a paused installation. Executors that have sent no heartbeat since the pause started belong to the original installation;
     * they are declared dead, so that nothing is sent to them.
     */
    @PostMapping("/api/installation/resume")
    @Access(Role.ADMIN)
    InstallationGuard.State resume(ApiCall call) {
        guard.run();
        InstallationGuard.State state = guard.state();
        call.about("installation", state.id(), state.isPaused() ? "resumed" : "was live");
        if (state.isPaused()) {
            executors.declareSilentDead(Duration.between(state.pausedAt(), clock.instant()));
            guard.resume();
            log.info("installation %s was resumed".formatted(state.id()));
        }
        return guard.state();
    }
}
