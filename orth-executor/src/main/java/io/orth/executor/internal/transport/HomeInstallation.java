package io.orth.executor.internal.transport;

import io.orth.protocol.ExecutorPaths;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The installation that this executor belongs to, which is that of the admins it registers with. Admins of another one, such as those
 * on a restored copy of the database, know its address and its token all the same: they may look, but not act.
 */
public final class HomeInstallation {

    private static final Set<String> READING =
            Set.of(ExecutorPaths.KNOWN_RUNS, ExecutorPaths.LOG, ExecutorPaths.LOG_RANGE, ExecutorPaths.LOG_STREAM);

    private static final Logger log = LoggerFactory.getLogger(HomeInstallation.class);

    private volatile String id;

    /** An admin that this executor is configured with has said to which one it belongs; null from those that do not say. */
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
     * Why a request is refused, if it is.
     *
     * @param shown the installation that the request names; null if it names none
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
