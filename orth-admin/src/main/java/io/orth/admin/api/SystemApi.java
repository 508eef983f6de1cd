package io.orth.admin.api;

import io.orth.admin.kernel.Installation;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.Node;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Clock;
import java.time.Instant;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What answers here. */
@RestController
class SystemApi {

    private final Node node;
    private final Installation installation;
    private final Clock clock;
    private final InstallationGuard guard;

    SystemApi(Node node, Installation installation, Clock clock, InstallationGuard guard) {
        this.guard = guard;
        this.node = node;
        this.installation = installation;
        this.clock = clock;
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
}
