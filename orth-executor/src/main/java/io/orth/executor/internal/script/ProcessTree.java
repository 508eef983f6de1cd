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
 * A script's process and all processes that stem from it: descendants and, on Linux, every process that inherited the script's
 * tag in its environment. Detaching ({@code setsid}, {@code nohup}, a double fork) does not remove the tag.
 *
 * <p>On other systems, a process that detached before the termination started is not found. A process that both detached and
 * cleared its environment is not found on any system.
 */
final class ProcessTree {

    private static final long PAUSE_MILLIS = 20;

    private final ProcessHandle root;
    private final TaggedProcesses tagged;

    private final ReentrantLock lock = new ReentrantLock();

    /** Every process seen so far; a process cannot be reached any more once its parent has ended. Guarded by lock. */
    private final Set<ProcessHandle> seen = new HashSet<>();

    ProcessTree(ProcessHandle root, TaggedProcesses tagged) {
        this.root = root;
        this.tagged = tagged;
    }

    /**
     * Asks all processes to terminate and kills those still alive after {@code grace}, within {@code limit} in total. Processes
     * started meanwhile are treated alike. Parents are signalled before their children: a script that waits for a command must
     * not continue with the next one because that command ended first. An interrupt does not shorten this. Returns the number of
     * surviving processes, which should be zero.
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
                // A process that forked and ended during the scan may have hidden its child.
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

    /** Start times are read once, before sorting: a process that ends during the sort no longer reports its own. */
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
            // An interrupt does not change that all processes have to end; the limit holds.
        }
    }
}
