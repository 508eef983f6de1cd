package io.orth.executor.internal.script;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * A script's process and all that came of it, wherever it went: descendants, and on Linux every process that has inherited the
 * script's tag in its environment, which detaching ({@code setsid}, {@code nohup}, a double fork) does not remove.
 *
 * <p>Elsewhere, a process that detached before the end began is not found. Nowhere is one that both detached and cleared its
 * environment.
 */
final class ProcessTree {

    private static final long PAUSE_MILLIS = 20;

    private final ProcessHandle root;
    private final TaggedProcesses tagged;

    private final ReentrantLock lock = new ReentrantLock();

    /** Every process that was seen, as the way to one is lost when its parent ends. Guarded by lock. */
    private final Set<ProcessHandle> seen = new HashSet<>();

    ProcessTree(ProcessHandle root, TaggedProcesses tagged) {
        this.root = root;
        this.tagged = tagged;
    }

    /**
     * Asks all processes to end, and makes those end that still live after {@code grace}; tries for {@code limit} in all. Those born
     * meanwhile get the same. Parents hear of it before their children: a script that was waiting for a command must not go on with
     * the next one because that command was ended first. Being interrupted does not cut this short. Returns how many are left, which
     * should be none.
     */
    int end(Duration grace, Duration limit) {
        lock.lock();
        try {
            return endAll(grace, limit);
        } finally {
            lock.unlock();
        }
    }

    private int endAll(Duration grace, Duration limit) {
        long begun = System.nanoTime();
        Set<ProcessHandle> asked = new HashSet<>();
        List<ProcessHandle> left = signalAll(begun + grace.toNanos(), process -> {
            if (asked.add(process)) {
                process.destroy();
            }
        });
        if (!left.isEmpty()) {
            left = signalAll(begun + limit.toNanos(), ProcessHandle::destroyForcibly);
        }
        return left.size();
    }

    private List<ProcessHandle> signalAll(long deadline, Consumer<ProcessHandle> signal) {
        while (true) {
            List<ProcessHandle> alive = alive();
            if (alive.isEmpty()) {
                // A process that forked and ended while we looked may have hidden its child.
                alive = alive();
            }
            if (alive.isEmpty() || System.nanoTime() - deadline >= 0) {
                return alive;
            }
            alive.forEach(signal);
            pause();
        }
    }

    private List<ProcessHandle> alive() {
        Set<ProcessHandle> found = new HashSet<>(seen);
        found.add(root);
        if (tagged.areKnown()) {
            root.descendants().forEach(found::add);
            found.addAll(tagged.find());
        } else {
            Set<ProcessHandle> known = Set.copyOf(found);
            known.forEach(process -> process.descendants().forEach(found::add));
        }
        found.removeIf(process -> !tagged.isAlive(process));
        seen.addAll(found);
        return eldestFirst(found);
    }

    /** The births are looked up once, as a process that ends while we sort no longer tells. */
    private static List<ProcessHandle> eldestFirst(Set<ProcessHandle> processes) {
        Map<ProcessHandle, Instant> births = new HashMap<>();
        processes.forEach(
                process -> births.put(process, process.info().startInstant().orElse(Instant.MAX)));
        return processes.stream()
                .sorted(Comparator.<ProcessHandle, Instant>comparing(births::get)
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    private static void pause() {
        try {
            new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            // Whoever is impatient still wants all processes to end; the limit holds.
        }
    }
}
