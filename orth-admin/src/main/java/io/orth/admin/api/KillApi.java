package io.orth.admin.api;

import io.orth.admin.job.Jobs;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.run.RunStatus;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.systemlog.SystemLog;
import io.orth.admin.triggering.RunKiller;
import io.orth.admin.triggering.RunKiller.End;
import io.orth.admin.triggering.RunKiller.Outcome;
import java.util.List;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that kill runs: one, several, or all unfinished runs of a job. */
@RestController
@RequestMapping("/api")
class KillApi {

    private static final int LONGEST_REASON = 500;

    private final RunKiller killer;
    private final Jobs jobs;
    private final SystemLog log;

    KillApi(RunKiller killer, Jobs jobs, SystemLog log) {
        this.killer = killer;
        this.jobs = jobs;
        this.log = log;
    }

    /** Optional reason. */
    record KillBody(String reason) {}

    /** Runs to kill, and the reason. */
    record KillRunsBody(List<String> runIds, String reason) {}

    /** Outcome for one run: {@code OVER} if it had finished before, {@code ENDED} if it has ended now, {@code ENDING} if it is ending. */
    record KilledRun(long runId, End outcome, RunStatus status, String message) {}

    /**
     * Outcome for all runs.
     *
     * @param more whether the job has further unfinished runs; call again to kill them
     */
    record KillView(long ended, long ending, long over, boolean more, List<KilledRun> runs) {

        static KillView of(List<Outcome> outcomes, boolean more) {
            return new KillView(
                    count(outcomes, End.ENDED),
                    count(outcomes, End.ENDING),
                    count(outcomes, End.OVER),
                    more,
                    outcomes.stream()
                            .map(each -> new KilledRun(each.runId(), each.end(), each.status(), each.message()))
                            .toList());
        }

        private static long count(List<Outcome> outcomes, End end) {
            return outcomes.stream().filter(each -> each.end() == end).count();
        }
    }

    /** Runs to kill: {@code kind}, {@code id} and {@code more} for the audit log, {@code words} for the system log. */
    private record Target(String kind, Object id, String more, String words) {}

    @FunctionalInterface
    private interface Killing {
        KillView by(String user, String reason) throws InterruptedException;
    }

    @PostMapping("/runs/{id}/kill")
    @Access(Role.OPERATOR)
    KillView killRun(@PathVariable String id, @RequestBody(required = false) KillBody body, ApiCall call)
            throws InterruptedException {
        long runId = Ids.parseLong("id", id);
        Target target = new Target("run", runId, "", "run " + runId);
        return kill(
                target,
                body == null ? null : body.reason(),
                call,
                (user, reason) -> KillView.of(killer.kill(List.of(runId), user, reason), false));
    }

    @PostMapping("/runs/kill")
    @Access(Role.OPERATOR)
    KillView killRuns(@RequestBody KillRunsBody body, ApiCall call) throws InterruptedException {
        List<Long> runIds = runIds(body.runIds());
        Target target = new Target("runs", runIds.size(), " " + runIds, runIds.size() + " runs");
        return kill(
                target, body.reason(), call, (user, reason) -> KillView.of(killer.kill(runIds, user, reason), false));
    }

    /** Kills the runs of a job. A deleted job may still have unfinished runs, which are killed as well. */
    @PostMapping("/jobs/{id}/kill")
    @Access(Role.OPERATOR)
    KillView killJob(@PathVariable String id, @RequestBody(required = false) KillBody body, ApiCall call)
            throws InterruptedException {
        int jobId = Ids.parseInt("id", id);
        Target target = new Target("job", jobId, "", "the runs of job " + jobId);
        return kill(target, body == null ? null : body.reason(), call, (user, reason) -> {
            List<Outcome> outcomes = killer.killJob(jobId, user, reason);
            if (outcomes.isEmpty()) {
                jobs.get(jobId);
            }
            return KillView.of(outcomes, outcomes.size() == RunKiller.MOST);
        });
    }

    private KillView kill(Target target, String why, ApiCall call, Killing killing) throws InterruptedException {
        String reason = reason(why);
        call.about(target.kind(), target.id(), reason);
        KillView view = killing.by(call.caller().name(), reason);
        String counts = "%d ended, %d ending, %d over".formatted(view.ended(), view.ending(), view.over());
        String outcome = reason.isEmpty() ? counts : "%s: %s".formatted(counts, reason);
        call.about(target.kind(), target.id(), outcome + target.more());
        if (view.ended() + view.ending() > 0) {
            log.warn("%s killed %s: %s".formatted(call.caller().name(), target.words(), outcome));
        }
        return view;
    }

    static String reason(String reason) {
        if (reason == null) {
            return "";
        }
        if (reason.length() > LONGEST_REASON || reason.chars().anyMatch(Character::isISOControl)) {
            throw OrthException.invalid(
                    "reason", "must have at most %d characters and no control characters".formatted(LONGEST_REASON));
        }
        return reason.strip();
    }

    private static List<Long> runIds(List<String> texts) {
        if (texts == null || texts.isEmpty() || texts.size() > RunKiller.MOST) {
            throw OrthException.invalid("runIds", "must name 1 to %d runs".formatted(RunKiller.MOST));
        }
        return Ids.parseLongs("runIds", texts);
    }
}
