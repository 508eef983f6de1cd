package io.orth.runtime;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The only place that creates threads, all named {@code orth-<what>}. Workers are virtual threads if Java supports them (21 and newer).
 * Services are platform threads, so that busy workers cannot starve them.
 */
public final class Threads {

    private static final String PREFIX = "orth-";
    private static final long IDLE_SECONDS = 30;
    private static final VirtualThreads VIRTUAL = VirtualThreads.find();

    private Threads() {}

    /** Returns an unstarted daemon thread for a job or one of many calls. */
    public static Thread worker(String what, Runnable task) {
        return VIRTUAL == null ? service(what, task) : VIRTUAL.unstarted(PREFIX + what, task);
    }

    /** Returns an unstarted daemon platform thread. */
    public static Thread service(String what, Runnable task) {
        Thread thread = new Thread(task, PREFIX + what);
        thread.setDaemon(true);
        return thread;
    }

    /** Returns a factory of platform threads named {@code orth-<what>-1} and so on; a non-daemon thread keeps the JVM alive. */
    public static ThreadFactory services(String what, boolean daemon) {
        AtomicLong count = new AtomicLong();
        return task -> {
            Thread thread = service(what + "-" + count.incrementAndGet(), task);
            thread.setDaemon(daemon);
            return thread;
        };
    }

    /** Returns a pool of up to {@code max} workers. If all are busy, {@code execute} throws {@link RejectedExecutionException}. */
    public static ExecutorService pool(String what, int max) {
        return new ThreadPoolExecutor(0, max, IDLE_SECONDS, TimeUnit.SECONDS, new SynchronousQueue<>(), workers(what));
    }

    /** Returns a pool of {@code size} workers with a bounded queue. If the queue is full, {@code execute} throws as well. */
    public static ExecutorService pool(String what, int size, int capacity) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                size, size, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), workers(what));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    private static ThreadFactory workers(String what) {
        AtomicLong count = new AtomicLong();
        return task -> worker(what + "-" + count.incrementAndGet(), task);
    }

    /** {@code Thread.ofVirtual().name(n).unstarted(r)}, found at run time because the code is compiled for Java 17. */
    private record VirtualThreads(MethodHandle ofVirtual, MethodHandle name, MethodHandle unstarted) {

        static VirtualThreads find() {
            try {
                MethodHandles.Lookup lookup = MethodHandles.publicLookup();
                Class<?> builder = Class.forName("java.lang.Thread$Builder");
                Class<?> ofVirtual = Class.forName("java.lang.Thread$Builder$OfVirtual");
                return new VirtualThreads(
                        lookup.findStatic(Thread.class, "ofVirtual", MethodType.methodType(ofVirtual)),
                        lookup.findVirtual(builder, "name", MethodType.methodType(builder, String.class)),
                        lookup.findVirtual(builder, "unstarted", MethodType.methodType(Thread.class, Runnable.class)));
            } catch (ReflectiveOperationException | UnsupportedOperationException e) {
                return null;
            }
        }

        Thread unstarted(String threadName, Runnable task) {
            try {
                return (Thread) unstarted.invoke(name.invoke(ofVirtual.invoke(), threadName), task);
            } catch (Error | RuntimeException e) {
                throw e;
            } catch (Throwable e) {
                throw new IllegalStateException("no virtual thread could be created", e);
            }
        }
    }
}
