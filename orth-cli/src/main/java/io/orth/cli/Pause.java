package io.orth.cli;

import io.orth.client.OrthPipelines;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Pauses all pipelines, one pipeline, or one of its stages. Running tasks continue. */
@Command(
        name = "pause",
        description = "Stop starting tasks of all pipelines, one pipeline, or one stage. Running tasks finish.")
final class Pause implements Runnable {

    private final Session session;

    @Mixin
    PipelinePart part;

    Pause(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        session.show(
                orth -> pause(orth.pipelines()),
                what -> session.out().println(Plain.line("%s is paused.".formatted(what))));
    }

    private String pause(OrthPipelines pipelines) {
        if (part.name == null) {
            pipelines.pauseAll();
        } else if (part.stage == null) {
            pipelines.pause(part.name);
        } else {
            pipelines.pauseStage(part.name, part.stage);
        }
        return part.words();
    }
}
