package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Which handlers lanes use. A handler is initialised before its first lane uses it and destroyed after its last one has left,
 * so no lane ever runs a handler that another lane has destroyed.
 */
final class SharedHandlers {

    /** Handlers are told apart as objects, whatever their equals() says. There are as many as the executor has handlers. */
    private final Map<JobHandler, Usage> usages = Collections.synchronizedMap(new IdentityHashMap<>());

    /** Throws what {@link JobHandler#init} throws; the lane does not use the handler then. */
    void enter(JobHandler handler) throws Exception {
        usages.computeIfAbsent(handler, any -> new Usage()).enter(handler);
    }

    /** Throws what {@link JobHandler#destroy} throws; the lane has left all the same. */
    void leave(JobHandler handler) throws Exception {
        usages.get(handler).leave(handler);
    }

    /** The lanes of one handler. Its lock is held during init and destroy, so they never overlap. */
    private static final class Usage {

        private final ReentrantLock lock = new ReentrantLock();

        // Guarded by lock.
        private int lanes;

        void enter(JobHandler handler) throws Exception {
            lock.lockInterruptibly();
            try {
                if (lanes == 0) {
                    handler.init();
                }
                lanes++;
            } finally {
                lock.unlock();
            }
        }

        void leave(JobHandler handler) throws Exception {
            lock.lock();
            try {
                lanes--;
                if (lanes == 0) {
                    handler.destroy();
                }
            } finally {
                lock.unlock();
            }
        }
    }
}
