package io.orth.executor.internal;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The only place that makes threads. Threads that run jobs are virtual where Java has virtual threads (21 and newer); those
 * that serve requests or keep the executor going are platform threads, so that busy jobs cannot starve them.
 */
public final class Threads {

    private static final VirtualThreads VIRTUAL = VirtualThreads.find();

    private Threads() {}

    /** A thread, not yet started, that runs jobs. */
    public static Thread worker(String name, Runnable task) {
        return VIRTUAL == null ? service(name, task) : VIRTUAL.unstarted(name, task);
    }

    /** A daemon platform thread, not yet started. */
    public static Thread service(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Platform threads named {@code prefix-1} and so on; while one that is no daemon lives, so does the JVM. */
    public static ThreadFactory services(String prefix, boolean daemon) {
        AtomicLong made = new AtomicLong();
        return task -> {
            Thread thread = service(prefix + "-" + made.incrementAndGet(), task);
            thread.setDaemon(daemon);
            return thread;
        };
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
                throw new IllegalStateException("no virtual thread could be made", e);
            }
        }
    }
}
