package io.orth.cli;

import picocli.CommandLine.Parameters;

/** Options that select what to pause or resume. */
final class PipelinePart {

    @Parameters(index = "0", arity = "0..1", paramLabel = "NAME", description = "a pipeline; all by default")
    String name;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "STAGE",
            description = "a stage of the pipeline; all by default")
    String stage;

    String words() {
        if (name == null) {
            return "Everything";
        }
        return stage == null ? "Pipeline " + name : "Stage %s of pipeline %s".formatted(stage, name);
    }
}
