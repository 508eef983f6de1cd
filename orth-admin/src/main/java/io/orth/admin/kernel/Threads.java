package io.orth.admin.kernel;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The one place where the admin makes threads. All are daemons named {@code orth-<what>}. */
public final class Threads {

    private static final ThreadFactory VIRTUAL = virtualFactory();

    private Threads() {}

    public static Thread platform(String what, Runnable work) {
        Thread thread = new Thread(work, "orth-" + what);
        thread.setDaemon(true);
        return thread;
    }

    /**
     * A pool of up to {@code most} threads, virtual where the JVM has them; with all of them busy {@code execute} throws
     * {@link RejectedExecutionException}.
     */
    public static ExecutorService pool(String what, int most) {
        return new ThreadPoolExecutor(0, most, 30, TimeUnit.SECONDS, new SynchronousQueue<>(), numbered(what));
    }

    /** A pool of {@code size} threads with a bounded queue; with the queue full {@code execute} throws as well. */
    public static ExecutorService pool(String what, int size, int queue) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size, size, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<>(queue), numbered(what));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory numbered(String what) {
        AtomicInteger number = new AtomicInteger();
        return work -> {
            String name = what + "-" + number.incrementAndGet();
            if (VIRTUAL == null) {
                return platform(name, work);
            }
            Thread thread = VIRTUAL.newThread(work);
            thread.setName("orth-" + name);
            return thread;
        };
    }

    /** {@code Thread.ofVirtual().factory()} on Java 21 and newer, null before; the code is compiled for 17. */
    private static ThreadFactory virtualFactory() {
        try {
            MethodHandles.Lookup lookup = MethodHandles.publicLookup();
            Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
            Object builder = lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual))
                    .invoke();
            return (ThreadFactory) lookup.findVirtual(
                            Class.forName("java.lang.Thread$Builder"),
                            "factory",
                            MethodType.methodType(ThreadFactory.class))
                    .invoke(builder);
        } catch (ReflectiveOperationException e) {
            return null;
        } catch (Throwable e) {
            throw new IllegalStateException("virtual threads cannot be made", e);
        }
    }
}
