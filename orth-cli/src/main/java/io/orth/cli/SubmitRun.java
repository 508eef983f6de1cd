package io.orth.cli;

import io.orth.client.Submission;
import io.orth.client.SubmittedRun;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Submits a pipeline run. */
@Command(name = "submit", description = "Submit a run of a pipeline. Requires the role admin.")
final class SubmitRun implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "NAME", description = "the pipeline's name")
    String name;

    @Option(
            names = "--scope",
            paramLabel = "JSON|@FILE",
            description = "the scope of the run, an object; its targets become the tasks of the first stage")
    String scope;

    @Option(
            names = "--options",
            paramLabel = "JSON|@FILE",
            description = "further options for the handlers of all tasks, an object")
    String options;

    @Option(names = "--dry-run", description = "only check and estimate; start nothing")
    boolean dryRun;

    @Option(
            names = "--key",
            paramLabel = "KEY",
            description = "idempotency key: the same key again returns the same run")
    String key;

    SubmitRun(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        Submission submission = submission();
        session.show(
                orth -> dryRun
                        ? orth.pipelines().dryRun(name, submission)
                        : orth.pipelines().submit(name, submission),
                this::print);
    }

    private Submission submission() {
        Submission submission = Submission.of();
        if (scope != null) {
            submission = submission.scope(session.input().text(scope));
        }
        if (options != null) {
            submission = submission.options(session.input().text(options));
        }
        return key == null ? submission : submission.key(key);
    }

    private void print(SubmittedRun submitted) {
        session.out()
                .println(Plain.line(
                        "%s; %s. Trace id %s.".formatted(what(submitted), estimate(submitted), submitted.traceId())));
    }

    private static String what(SubmittedRun submitted) {
        String pipeline = "%s, version %d".formatted(submitted.pipeline(), submitted.version());
        if (submitted.rootJobId() == null) {
            return "Nothing was started of " + pipeline;
        }
        return submitted.duplicate()
                ? "Run %d of %s was submitted before under this key and is %s"
                        .formatted(submitted.rootJobId(), pipeline, submitted.status())
                : "Run %d of %s is %s".formatted(submitted.rootJobId(), pipeline, submitted.status());
    }

    private static String estimate(SubmittedRun submitted) {
        return submitted.estimate() == null
                ? "how many tasks there will be is not known"
                : "about %d tasks (%s)".formatted(submitted.estimate(), submitted.basis());
    }
}
