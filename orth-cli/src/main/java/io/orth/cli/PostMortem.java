package io.orth.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Collects all available data about a pipeline run. */
@Command(
        name = "post-mortem",
        description = "Print everything known about a run as one JSON document, or write it to a file.")
final class PostMortem implements Runnable {

    private final Session session;

    @Parameters(paramLabel = "ROOT", description = "the run's id")
    long root;

    @Option(names = "--out", paramLabel = "FILE", description = "the file to write; overwrites an existing file")
    String out;

    PostMortem(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        String document = session.ask(orth -> orth.pipelines().postMortem(root));
        if (out == null) {
            session.out().println(document);
            return;
        }
        try {
            Files.writeString(Path.of(out), document + "\n");
            session.out().println(Plain.line("All that is known about run %d is in %s.".formatted(root, out)));
        } catch (IOException | InvalidPathException e) {
            throw new UsageException("--out cannot be written: " + e.getMessage());
        }
    }
}
