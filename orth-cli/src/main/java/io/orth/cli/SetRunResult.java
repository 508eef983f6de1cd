package io.orth.cli;

import io.orth.client.PipelineRunInfo;
import io.orth.client.RunLink;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sets the result and the links of a pipeline run. */
@Command(
        name = "result",
        description =
                "Set the result and the links of a run, replacing those set before; without options both are removed.")
final class SetRunResult implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @Option(
            names = "--result",
            paramLabel = "JSON|@FILE",
            description = "the result of the run as a whole, at most 8 KB")
    String result;

    @Option(
            names = "--link",
            paramLabel = "NAME=URL",
            description = "a link to something that the run produced; repeatable, up to 20 times")
    Map<String, String> links = Map.of();

    SetRunResult(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        String json = result == null ? null : session.input().text(result);
        List<RunLink> all = links.entrySet().stream()
                .map(link -> new RunLink(link.getKey(), link.getValue()))
                .toList();
        session.show(orth -> orth.pipelines().setResult(root, json, all), this::print);
    }

    private void print(PipelineRunInfo run) {
        session.out()
                .println(Plain.line("Run %d has %s; links: %d."
                        .formatted(
                                run.id(),
                                run.result() == null ? "no result" : "a result",
                                run.links().size())));
    }
}
