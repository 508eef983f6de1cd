package io.orth.admin.api;

import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.registry.Executors;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.SystemLog;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Clock;
import java.time.Duration;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Takes an installation live that is paused. */
@RestController
class InstallationApi {

    private final InstallationGuard installation;
    private final Executors executors;
    private final Clock clock;
    private final SystemLog log;

    InstallationApi(InstallationGuard installation, Executors executors, Clock clock, SystemLog log) {
        this.installation = installation;
        this.executors = executors;
        this.clock = clock;
        this.log = log;
    }

    /** Executors that have not been heard of since the pause began are those of the original: nothing is sent to them. */
    @PostMapping("/api/installation/resume")
    @Access(Role.ADMIN)
    InstallationGuard.State resume(HttpServletRequest request) {
        installation.run();
        InstallationGuard.State state = installation.state();
        AuditNote.about(request, "installation", state.id(), state.isPaused() ? "resumed" : "was live");
        if (state.isPaused()) {
            executors.declareSilentDead(Duration.between(state.pausedAt(), clock.instant()));
            installation.resume();
            log.info("installation %s was resumed".formatted(state.id()));
        }
        return installation.state();
    }
}
