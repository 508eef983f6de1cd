package io.orth.cli;

import io.orth.client.PipelineInfo;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Creates a pipeline from a file, or updates it. */
@Command(name = "define", description = "Create a pipeline or a new version of it from a file. Idempotent.")
final class DefinePipeline implements Runnable {

    private final Session session;

    @Parameters(index = "0", paramLabel = "NAME", description = "the pipeline's name")
    String name;

    @Parameters(index = "1", paramLabel = "FILE", description = "its definition in YAML or JSON; - for standard input")
    String file;

    DefinePipeline(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        String yaml = session.input().file(file);
        session.show(orth -> orth.pipelines().defineYaml(name, yaml), this::print);
    }

    private void print(PipelineInfo pipeline) {
        session.out()
                .println(Plain.line("Pipeline %s has version %d, with %d stages."
                        .formatted(
                                pipeline.name(),
                                pipeline.version(),
                                pipeline.stages().size())));
    }
}
