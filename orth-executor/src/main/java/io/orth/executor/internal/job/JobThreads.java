package io.orth.executor.internal.job;

import io.orth.executor.internal.log.RunLogFiles;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The lanes of the jobs that are active now. */
public final class JobThreads {

    private static final Duration POLL = Duration.ofSeconds(3);
    private static final int IDLE_POLLS = 30;
    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final JobThread.Settings settings;
    private final JobThread.Surroundings surroundings;
    private final ConcurrentMap<Integer, JobThread> lanes = new ConcurrentHashMap<>();

    public JobThreads(int queueCapacity, RunLogFiles logs, RunMemory memory, ResultSink results) {
        this(
                new JobThread.Settings(POLL, IDLE_POLLS, queueCapacity),
                new JobThread.Surroundings(logs, memory, results));
    }

    JobThreads(JobThread.Settings settings, JobThread.Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
    }

    /** Hands work to its job's lane; returns why that was refused. */
    Optional<String> submit(Work work) {
        int jobId = work.trigger().jobId();
        while (true) {
            JobThread lane = lanes.computeIfAbsent(jobId, this::startLane);
            switch (lane.offer(work)) {
                case TAKEN -> {
                    return Optional.empty();
                }
                case FULL -> {
                    return Optional.of("job %d already has %d triggers waiting on this executor"
                            .formatted(jobId, settings.queueCapacity()));
                }
                case CLOSED -> lanes.remove(jobId, lane);
            }
        }
    }

    /**
     * Ends all lanes: lets them finish for {@code grace}, then reports what waits as not executed and interrupts what runs. The
     * caller has made sure that nothing is submitted any more.
     */
    public void stop(Duration grace) throws InterruptedException {
        List<JobThread> all = List.copyOf(lanes.values());
        all.forEach(JobThread::drain);
        if (!joinAll(all, grace)) {
            all.forEach(JobThread::abandon);
            if (!joinAll(all, AFTER_INTERRUPT)) {
                all.forEach(JobThread::disown);
            }
        }
    }

    /** How many jobs are active now. */
    public int size() {
        return lanes.size();
    }

    private static boolean joinAll(List<JobThread> all, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean ended = true;
        for (JobThread lane : all) {
            ended &= lane.join(Duration.ofNanos(deadline - System.nanoTime()));
        }
        return ended;
    }

    private JobThread startLane(int jobId) {
        JobThread lane = new JobThread(jobId, settings, surroundings, this::ended);
        lane.start();
        return lane;
    }

    private void ended(JobThread lane) {
        lanes.remove(lane.jobId(), lane);
    }
}
