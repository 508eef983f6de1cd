package io.orth.admin.systemlog;

import io.orth.runtime.Duty;
import io.orth.runtime.LoopObserver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** Logs once that background loops fail and once that they work again. Failures with the same cause share one line. */
@Component
final class LoopNews implements LoopObserver, Duty {

    private final SystemLog log;
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    /** Failing loops that are not logged yet, with the reason. Guarded by this, as is {@code back}. */
    private final Map<String, String> begun = new HashMap<>();

    private final Set<String> back = new TreeSet<>();

    LoopNews(SystemLog log) {
        this.log = log;
    }

    @Override
    public void passed(String loop, Duty.Pass pass) {
        if (!failing.isEmpty() && failing.remove(loop)) {
            synchronized (this) {
                back.add(loop);
            }
        }
    }

    @Override
    public void failed(String loop, int failuresInARow, Throwable failure) {
        if (failuresInARow == 1) {
            synchronized (this) {
                begun.put(loop, Reasons.of(failure));
            }
            failing.add(loop);
        }
    }

    @Override
    public Pass run() {
        List<String> warnings = new ArrayList<>();
        String good = null;
        synchronized (this) {
            Map<String, Set<String>> byReason = new TreeMap<>();
            begun.forEach((loop, reason) ->
                    byReason.computeIfAbsent(reason, any -> new TreeSet<>()).add(loop));
            byReason.forEach((reason, loops) -> warnings.add(
                    "background work fails and is tried again: %s: %s".formatted(String.join(", ", loops), reason)));
            if (!back.isEmpty()) {
                good = "background work goes on again: " + String.join(", ", back);
            }
            begun.clear();
            back.clear();
        }
        warnings.forEach(log::warn);
        if (good != null) {
            log.info(good);
        }
        return Pass.DRAINED;
    }
}
