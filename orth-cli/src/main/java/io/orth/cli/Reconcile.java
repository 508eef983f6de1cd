package io.orth.cli;

import io.orth.client.OrthClientException;
import io.orth.client.Page;
import io.orth.client.PipelineRunInfo;
import io.orth.client.Reconciliation;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;

/** Reconciles pipeline runs, or reports what a reconciliation would do. */
@Command(
        name = "reconcile",
        description =
                "Show what the reconciler would do for one run or all unfinished runs; apply it with --dryRun=false.")
final class Reconcile implements Callable<Integer> {

    private static final int PAGE = 500;
    private static final int MOST_RUNS = 10_000;
    private static final List<String> OPEN = List.of("RUNNING", "PENDING");

    private final Session session;

    @Option(names = "--rootJobId", paramLabel = "ID", description = "the run's id; all unfinished runs by default")
    Long rootJobId;

    @Option(
            names = "--dryRun",
            paramLabel = "true|false",
            arity = "0..1",
            fallbackValue = "true",
            description = "only report, change nothing (default true)")
    boolean dryRun = true;

    Reconcile(Session session) {
        this.session = session;
    }

    @Override
    public Integer call() {
        if (rootJobId != null) {
            reconcile(rootJobId);
            return ExitCode.OK;
        }
        return all(open());
    }

    /** Reconciles each run. A run that fails, for example because it has been deleted meanwhile, does not affect the others. */
    private int all(List<Long> runs) {
        int failed = 0;
        for (long run : runs) {
            try {
                reconcile(run);
            } catch (OrthClientException e) {
                if (e.status() == 0) {
                    throw e;
                }
                failed++;
                new Complaints(session.err()).say("run %d: %s".formatted(run, Complaints.sentence(e)));
            }
        }
        if (runs.isEmpty()) {
            session.err().println("There are no runs that are not over.");
        }
        return failed == 0 ? ExitCode.OK : ExitCode.SOFTWARE;
    }

    private List<Long> open() {
        List<Long> runs = new ArrayList<>();
        for (String status : OPEN) {
            String after = null;
            do {
                String from = after;
                Page<PipelineRunInfo> page =
                        session.ask(orth -> orth.pipelines().runs(null, status, PAGE, from));
                page.items().forEach(run -> runs.add(run.id()));
                after = page.next();
            } while (after != null && runs.size() < MOST_RUNS);
        }
        return runs;
    }

    private void reconcile(long run) {
        session.show(orth -> orth.pipelines().reconcile(run, dryRun), this::print);
    }

    private void print(Reconciliation report) {
        session.out()
                .println(Plain.line("Run %d is %s; %s".formatted(report.rootJobId(), report.status(), what(report))));
        report.actions()
                .forEach(action -> session.out()
                        .println("  "
                                + Plain.line("%s%s: %d"
                                        .formatted(
                                                action.kind(),
                                                action.stage() == null ? "" : " " + action.stage(),
                                                action.count()))));
    }

    private static String what(Reconciliation report) {
        if (report.actions().isEmpty()) {
            return "there is nothing to be done.";
        }
        return report.dryRun() ? "this would be done:" : "this was done:";
    }
}
