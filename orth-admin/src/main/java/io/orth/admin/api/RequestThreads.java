package io.orth.admin.api;

import java.util.List;
import java.util.concurrent.Semaphore;

/**
 * How the threads of the web server are divided. Calls of executors and health checks have threads that no other call can take, so
 * however many slow calls of users there are, heartbeats and probes are answered.
 */
final class RequestThreads {

    private static final int OTHERS_PERCENT = 70;
    private static final int HEALTH_PERCENT = 5;

    private final Share executors;
    private final Share others;

    /** @param threads how many threads of the web server answer calls */
    RequestThreads(int threads) {
        Semaphore all = new Semaphore(Math.max(1, threads - Math.max(1, threads * HEALTH_PERCENT / 100)));
        this.executors = new Share(List.of(all));
        this.others = new Share(List.of(all, new Semaphore(Math.max(1, threads * OTHERS_PERCENT / 100))));
    }

    /** All threads but those of health checks. */
    Share executors() {
        return executors;
    }

    /** The threads that calls of users and anonymous callers may take. */
    Share others() {
        return others;
    }

    /** The threads that calls of one kind may take, within these limits. */
    record Share(List<Semaphore> limits) {

        /** Returns false where all are busy. */
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
