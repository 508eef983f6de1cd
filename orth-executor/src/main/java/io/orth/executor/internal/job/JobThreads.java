package io.orth.executor.internal.job;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.job.TriggerDesk.BusyException;
import io.orth.executor.internal.log.RunLogFiles;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/** The lanes of the currently active jobs and queues. */
public final class JobThreads {

    /**
     * The current load of the executor.
     *
     * @param running number of runs in progress, including ended ones whose handlers have not returned yet
     * @param queued number of accepted runs that wait
     * @param leakedThreads number of threads that are still running after their slot was taken away
     */
    public record Load(int running, int queued, int leakedThreads) {

        private Load plus(Load other) {
            return new Load(running + other.running, queued + other.queued, leakedThreads + other.leakedThreads);
        }
    }

    private static final Duration AFTER_INTERRUPT = Duration.ofSeconds(2);

    private final LaneSettings settings;
    private final Surroundings surroundings;
    private final ConcurrentMap<String, Lane> lanes = new ConcurrentHashMap<>();

    public JobThreads(LaneSettings settings, RunLogFiles logs, RunMemory memory, ResultSink results, StartGate gate) {
        this(settings, new Surroundings(logs, memory, results, gate, new WatchThread()));
    }

    JobThreads(LaneSettings settings, Surroundings surroundings) {
        this.settings = settings;
        this.surroundings = surroundings;
    }

    /**
     * Hands work to its lane. Returns the reason if the lane rejects it.
     *
     * @throws BusyException if the lane is busy and the block strategy of the work is DISCARD
     */
    Optional<String> submit(Work work) {
        Run run = new Run(work);
        while (true) {
            Lane lane = lanes.computeIfAbsent(work.lane(), this::newLane);
            Lane.Answer answer = lane.offer(run);
            end(lane, answer.covered(), "block strategy effect：Cover Early");
            switch (answer.offer()) {
                case TAKEN -> {
                    return Optional.empty();
                }
                case FULL -> {
                    return Optional.of("%s already has %d triggers waiting on this executor"
                            .formatted(work.lane().replaceFirst("-", " "), settings.queueCapacity()));
                }
                case BUSY -> throw new BusyException();
                case CLOSED -> lanes.remove(work.lane(), lane);
            }
        }
    }

    /** Kills all running and waiting runs of a job. Returns whether the job was active. */
    public boolean kill(int jobId, String reason) {
        Lane lane = lanes.get(Work.laneOf(jobId));
        if (lane == null) {
            return false;
        }
        Victims victims = lane.kill();
        end(lane, victims, reason);
        return victims.laneWasThere();
    }

    /** Kills these runs, if they run or wait here. */
    public void killRuns(Collection<Long> logIds, String reason) {
        Set<Long> wanted = Set.copyOf(logIds);
        kill(run -> wanted.contains(run.logId()), reason);
    }

    /** Kills all running and waiting runs. */
    public void killAll(String reason) {
        kill(run -> true, reason);
    }

    private void kill(Predicate<Run> wanted, String reason) {
        lanes.values().forEach(lane -> end(lane, lane.withdraw(wanted), reason));
    }

    /** Withdraws a queue's messages that wait and have not started. The caller reports them. */
    public List<OrthJobContext> takeBack(MessageQueue queue) {
        Lane lane = lanes.get(queue.lane());
        if (lane == null) {
            return List.of();
        }
        return lane.withdraw(run -> true).waiting().stream()
                .filter(surroundings::giveBack)
                .map(run -> run.work().context())
                .toList();
    }

    private void end(Lane lane, Victims victims, String reason) {
        RunResult killed = RunResult.fail(reason + " [job running, killed]");
        victims.running().forEach(run -> lane.cut(run, killed, "killed: " + reason));
        RunResult notExecuted = RunResult.fail(reason + " [job not executed, in the job queue, killed.]");
        victims.waiting().forEach(run -> surroundings.end(run, notExecuted));
    }

    /** Returns whether no run of this job runs or waits here. */
    public boolean isIdle(int jobId) {
        Lane lane = lanes.get(Work.laneOf(jobId));
        return lane == null || lane.isIdle();
    }

    public Load load() {
        return lanes.values().stream()
                .map(Lane::load)
                .reduce(new Load(0, 0, surroundings.leaked().get()), Load::plus);
    }

    /** Returns the number of active jobs and queues. */
    public int size() {
        return lanes.size();
    }

    /**
     * Ends all lanes. Lets them finish for {@code grace}, then reports waiting runs as not executed and interrupts running ones.
     * The caller must ensure that nothing more is submitted.
     */
    public void stop(Duration grace) throws InterruptedException {
        List<Lane> all = List.copyOf(lanes.values());
        all.forEach(Lane::drain);
        boolean ended = false;
        try {
            ended = awaitAll(all, grace);
            if (!ended) {
                all.forEach(lane -> abandon(lane, "interrupted: the executor stops"));
                ended = awaitAll(all, AFTER_INTERRUPT);
            }
        } finally {
            if (!ended) {
                all.forEach(this::disown);
            }
            surroundings.watch().close();
        }
    }

    /** Withdraws waiting runs, which are reported as not executed, and interrupts running ones. Their logs state the reason. */
    private Victims abandon(Lane lane, String why) {
        Victims victims = lane.kill();
        victims.running().forEach(Run::interrupt);
        RunResult notExecuted = RunResult.fail("not executed: executor stopped");
        victims.waiting().forEach(run -> surroundings.end(run, notExecuted));
        victims.running().forEach(run -> run.note(why));
        return victims;
    }

    /** Reports runs that do not react to an interrupt. Results that they produce later are dropped. */
    private void disown(Lane lane) {
        RunResult result = RunResult.fail("executor stopped while the run was still going on");
        abandon(lane, "given up: the executor has stopped").running().forEach(run -> surroundings.end(run, result));
    }

    private static boolean awaitAll(List<Lane> all, Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        boolean ended = true;
        for (Lane lane : all) {
            ended &= lane.awaitEnd(deadline - System.nanoTime());
        }
        return ended;
    }

    private Lane newLane(String name) {
        return new Lane(name, settings, surroundings, lane -> lanes.remove(name, lane));
    }
}
