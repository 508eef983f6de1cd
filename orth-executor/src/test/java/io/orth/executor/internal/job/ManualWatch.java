package io.orth.executor.internal.job;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A watch whose time stands still until a test moves it. */
final class ManualWatch implements Watch {

    private record Pending(Duration at, Runnable action) {}

    private final List<Pending> pending = new ArrayList<>();
    private Duration now = Duration.ZERO;

    @Override
    public synchronized Timer after(Duration delay, Runnable action) {
        Pending timer = new Pending(now.plus(delay), action);
        pending.add(timer);
        return () -> forget(timer);
    }

    void advance(Duration step) {
        List<Pending> due;
        synchronized (this) {
            now = now.plus(step);
            due = pending.stream()
                    .filter(timer -> timer.at().compareTo(now) <= 0)
                    .sorted(Comparator.comparing(Pending::at))
                    .toList();
            pending.removeAll(due);
        }
        due.forEach(timer -> timer.action().run());
    }

    synchronized int size() {
        return pending.size();
    }

    private synchronized void forget(Pending timer) {
        pending.remove(timer);
    }

    @Override
    public void close() {}
}
