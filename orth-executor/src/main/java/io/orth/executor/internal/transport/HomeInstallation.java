package io.orth.executor.internal.transport;

import io.orth.protocol.ExecutorPaths;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The installation that this executor belongs to: that of the admins it registers with. Admins of another installation, for
 * example on a restored copy of the database, know the executor's address and token as well. They may read, but not act.
 */
public final class HomeInstallation {

    private static final Set<String> READING =
            Set.of(ExecutorPaths.KNOWN_RUNS, ExecutorPaths.LOG, ExecutorPaths.LOG_RANGE, ExecutorPaths.LOG_STREAM);

    private static final Logger log = LoggerFactory.getLogger(HomeInstallation.class);

    private volatile String id;

    /** Learns the installation from a configured admin; null if the admin does not report one. */
    public void learn(String said) {
        String before = id;
        if (said == null || said.equals(before)) {
            return;
        }
        id = said;
        if (before != null) {
            log.warn("the admins are of another installation now: {}, before {}", said, before);
        }
    }

    /**
     * Returns the reason why a request is rejected, if it is.
     *
     * @param shown the installation named in the request; null if there is none
     */
    Optional<String> refusal(String path, String shown) {
        String home = id;
        if (home == null || shown == null || shown.equals(home) || READING.contains(path)) {
            return Optional.empty();
        }
        return Optional.of("this executor belongs to installation %s and takes nothing from installation %s"
                .formatted(home, shown));
    }
}
