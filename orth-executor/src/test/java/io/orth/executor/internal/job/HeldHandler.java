package io.orth.executor.internal.job;

import io.orth.executor.JobHandler;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A handler whose runs continue until the test releases them, and which records all events. */
final class HeldHandler implements JobHandler {

    final List<String> events = Collections.synchronizedList(new ArrayList<>());
    final List<Long> started = Collections.synchronizedList(new ArrayList<>());
    final List<String> threads = Collections.synchronizedList(new ArrayList<>());
    final List<Long> interrupted = Collections.synchronizedList(new ArrayList<>());
    final List<Long> cancelled = Collections.synchronizedList(new ArrayList<>());
    final AtomicInteger active = new AtomicInteger();
    final AtomicInteger mostActive = new AtomicInteger();

    volatile Thread lastThread;

    private final boolean stubborn;
    private final Semaphore begun = new Semaphore(0);
    private final Map<Long, CountDownLatch> holds = new ConcurrentHashMap<>();

    private HeldHandler(boolean stubborn) {
        this.stubborn = stubborn;
    }

    /** Returns when it is interrupted. */
    static HeldHandler cooperative() {
        return new HeldHandler(false);
    }

    /** Notices that it is interrupted and continues. */
    static HeldHandler stubborn() {
        return new HeldHandler(true);
    }

    /** Waits until this many more runs have started. */
    void awaitBegun(int runs) {
        begun.acquireUninterruptibly(runs);
    }

    void release(long... logIds) {
        for (long logId : logIds) {
            hold(logId).countDown();
        }
    }

    @Override
    public void init() {
        events.add("init " + Thread.currentThread().getName());
    }

    @Override
    public void destroy() {
        events.add("destroy");
    }

    @Override
    public RunResult execute(OrthJobContext context) throws InterruptedException {
        lastThread = Thread.currentThread();
        threads.add(Thread.currentThread().getName());
        started.add(context.logId());
        mostActive.accumulateAndGet(active.incrementAndGet(), Math::max);
        begun.release();
        try {
            await(context.logId());
            return RunResult.success("run " + context.logId());
        } finally {
            active.decrementAndGet();
            if (OrthJobHelper.isCancelled()) {
                cancelled.add(context.logId());
            }
        }
    }

    private void await(long logId) throws InterruptedException {
        while (true) {
            try {
                hold(logId).await();
                return;
            } catch (InterruptedException e) {
                interrupted.add(logId);
                if (!stubborn) {
                    throw e;
                }
            }
        }
    }

    private CountDownLatch hold(long logId) {
        return holds.computeIfAbsent(logId, any -> new CountDownLatch(1));
    }
}
