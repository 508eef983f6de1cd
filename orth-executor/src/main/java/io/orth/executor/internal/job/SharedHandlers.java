package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Reference counts of handlers, by lane and run. A handler is initialized before its first user enters and destroyed after its
 * last one has left, so no user ever runs a destroyed handler.
 */
final class SharedHandlers {

    /** Handlers in use, by identity, whatever their equals() returns. The map's lock also guards {@link Usage#visitors}. */
    private final Map<JobHandler, Usage> usages = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Enters a handler. Throws what {@link JobHandler#init} throws; the caller must then not use the handler. */
    void enter(JobHandler handler) throws Exception {
        Usage usage = visit(handler);
        boolean entered = false;
        try {
            usage.enter(handler);
            entered = true;
        } finally {
            if (!entered) {
                endVisit(handler, usage);
            }
        }
    }

    /** Enters a handler that currently has a user and therefore needs no initialization. */
    void enterAsWell(JobHandler handler) {
        visit(handler).enterAsWell();
    }

    /** Leaves a handler. Throws what {@link JobHandler#destroy} throws; the caller has left nevertheless. */
    void leave(JobHandler handler) throws Exception {
        Usage usage = usages.get(handler);
        try {
            usage.leave(handler);
        } finally {
            endVisit(handler, usage);
        }
    }

    /** Returns the number of handlers in use. */
    int size() {
        return usages.size();
    }

    private Usage visit(JobHandler handler) {
        synchronized (usages) {
            Usage usage = usages.computeIfAbsent(handler, any -> new Usage());
            usage.visitors++;
            return usage;
        }
    }

    private void endVisit(JobHandler handler, Usage usage) {
        synchronized (usages) {
            usage.visitors--;
            if (usage.visitors == 0) {
                usages.remove(handler);
            }
        }
    }

    /** The usage of one handler. Its lock is held during init and destroy, so they never overlap. */
    private static final class Usage {

        private final ReentrantLock lock = new ReentrantLock();

        // Guarded by the map's lock: users, and threads that are entering or leaving.
        private int visitors;

        // Guarded by lock.
        private int users;

        void enter(JobHandler handler) throws Exception {
            lock.lockInterruptibly();
            try {
                if (users == 0) {
                    handler.init();
                }
                users++;
            } finally {
                lock.unlock();
            }
        }

        void enterAsWell() {
            lock.lock();
            try {
                users++;
            } finally {
                lock.unlock();
            }
        }

        void leave(JobHandler handler) throws Exception {
            lock.lock();
            try {
                users--;
                if (users == 0) {
                    handler.destroy();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
