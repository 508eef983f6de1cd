package io.orth.cli;

import io.orth.client.OrthPipelines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Resumes all pipelines, one pipeline, or one of its stages. */
@Command(name = "resume", description = "Undo a pause of all pipelines, one pipeline, or one stage.")
final class Resume implements Runnable {

    private final Session session;

    @Mixin
    PipelinePart part;

    Resume(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> resume(orth.pipelines()),
                what -> session.out().println(Plain.line("%s is resumed.".formatted(what))));
    }

    private String resume(OrthPipelines pipelines) {
        if (part.name == null) {
            pipelines.resumeAll();
        } else if (part.stage == null) {
            pipelines.resume(part.name);
        } else {
            pipelines.resumeStage(part.name, part.stage);
        }
        return part.words();
    }
}
