package io.orth.admin.triggering;

import io.orth.admin.registry.Target;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunKills;
import io.orth.admin.run.RunStatus;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Kills runs on executors on the XXL-JOB wire, which knows jobs only: a kill ends every run of the job on the executor. It is therefore
 * sent once per run and never repeated, or later runs would be killed as well.
 */
final class ForeignKiller {

    private final RunKills kills;
    private final ForeignGateway gateway;
    private final Duration grace;

    ForeignKiller(RunKills kills, ForeignGateway gateway, Duration grace) {
        this.kills = kills;
        this.gateway = gateway;
        this.grace = grace;
    }

    /** Stores the outcome of each run in {@code answers}; fails if the executor cannot be reached. */
    void tell(Target target, List<Run> its, Map<Long, String> answers) throws IOException, InterruptedException {
        List<Run> onTheirWay = new ArrayList<>();
        List<Run> toldBefore = new ArrayList<>();
        List<Run> toTell = new ArrayList<>();
        Set<Long> told = kills.told(Run.ids(its));
        for (Run run : its) {
            List<Run> kind =
                    run.status() == RunStatus.INIT ? onTheirWay : told.contains(run.id()) ? toldBefore : toTell;
            kind.add(run);
        }
        if (!onTheirWay.isEmpty()) {
            kills.await(Run.ids(onTheirWay), "%s cannot be asked whether it has it".formatted(target.address()));
            put(answers, onTheirWay, "it is on its way to %s, which will be told then".formatted(target.address()));
        }
        if (!toldBefore.isEmpty()) {
            kills.endToldInVain(Run.ids(toldBefore), grace, "%s did not run it".formatted(target.address()));
            put(answers, toldBefore, "%s has been told; its result is awaited".formatted(target.address()));
        }
        for (Map.Entry<Integer, List<Run>> job :
                toTell.stream().collect(Collectors.groupingBy(Run::jobId)).entrySet()) {
            try {
                end(target, job.getKey(), job.getValue(), answers);
            } catch (IOException e) {
                endWhereGone(target, job.getValue(), e);
            }
        }
    }

    /** Ends the runs of an executor that no longer registers, without waiting for their results. */
    private void endWhereGone(Target target, List<Run> its, IOException failure) throws IOException {
        if (target.online()) {
            throw failure;
        }
        kills.endUnknown(Run.ids(its), "%s is gone".formatted(target.address()));
    }

    private void end(Target target, int job, List<Run> its, Map<Long, String> answers)
            throws IOException, InterruptedException {
        Set<Long> firstSent = kills.sending(Run.ids(its));
        boolean ran;
        try {
            ran = gateway.kill(target, job);
        } catch (IOException e) {
            if (RequestRejectedException.isCertain(e)) {
                kills.notEnding(firstSent);
            }
            throw e;
        }
        if (ran) {
            kills.awaitResult(Run.ids(its));
            put(
                    answers,
                    its,
                    "%s, an XXL-JOB executor, can only end a whole job: it was told to end every run of job %d there"
                            .formatted(target.address(), job));
        } else {
            kills.awaitResult(Run.ids(its), firstSent, grace);
            put(
                    answers,
                    its,
                    "%s does not run job %d; without a result within %d s the run counts as ended"
                            .formatted(target.address(), job, grace.toSeconds()));
        }
    }

    private static void put(Map<Long, String> answers, List<Run> its, String answer) {
        its.forEach(run -> answers.put(run.id(), answer));
    }
}
