package io.orth.admin.api;

import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * Division of the web server's threads. Executor calls and health checks have threads that no other call can take, so heartbeats and probes
 * are served regardless of the number of slow user calls.
 */
final class RequestThreads {

    private static final int OTHERS_PERCENT = 70;
    private static final int HEALTH_PERCENT = 5;

    private final Share executors;
    private final Share others;

    /** @param threads number of threads that serve requests */
    RequestThreads(int threads) {
        Semaphore all = new Semaphore(Math.max(1, threads - Math.max(1, threads * HEALTH_PERCENT / 100)));
        this.executors = new Share(List.of(all));
        this.others = new Share(List.of(all, new Semaphore(Math.max(1, threads * OTHERS_PERCENT / 100))));
    }

    /** Returns the share of executors: all threads except those for health checks. */
    Share executors() {
        return executors;
    }

    /** Returns the share of users and anonymous callers. */
    Share others() {
        return others;
    }

    /** Threads that calls of one kind may occupy, within these limits. */
    record Share(List<Semaphore> limits) {

        /** Takes a thread. Returns false if all of them are busy. */
        boolean take() {
            for (int i = 0; i < limits.size(); i++) {
                if (!limits.get(i).tryAcquire()) {
                    limits.subList(0, i).forEach(Semaphore::release);
                    return false;
                }
            }
            return true;
        }

        void giveBack() {
            limits.forEach(Semaphore::release);
        }
    }
}
