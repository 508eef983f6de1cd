package io.orth.admin.boot;

import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.XxlJobProperties;
import org.springframework.stereotype.Component;

/** Check that rejects liveness settings which are valid individually but contradict each other. */
@Component
final class LivenessSettings {

    LivenessSettings(RegistryProperties registry, XxlJobProperties xxlJob) {
        if (xxlJob.silentAfter().compareTo(registry.heartbeatTimeout()) < 0) {
            throw new StartFailure(
                    "the configuration is wrong: orth.xxl-job.silent-after (%s) must not be shorter than orth.registry.heartbeat-timeout (%s), for which an admin must have been healthy before it declares an executor dead"
                            .formatted(xxlJob.silentAfter(), registry.heartbeatTimeout()));
        }
    }
}
