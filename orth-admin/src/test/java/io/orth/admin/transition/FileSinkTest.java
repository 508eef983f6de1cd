package io.orth.admin.transition;

import io.orth.protocol.StateTransition;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

class FileSinkTest extends TransitionSinkConformance {

    private static final long MAX_SIZE = 65_536;
    private static final int FILES = 100;

    @TempDir
    Path temporary;

    private Path directory;
    private Path file;
    private FileSink sink;

    @BeforeEach
    void setUp() {
        directory = temporary.resolve("transitions");
        file = directory.resolve("transitions.jsonl");
        sink = new FileSink(new RotatingFile(file, MAX_SIZE, FILES));
    }

    @Override
    protected TransitionSink sink() {
        return sink;
    }

    /** Replaces the directory with a file. */
    @Override
    protected void goAway() throws Exception {
        Files.move(directory, temporary.resolve("elsewhere"));
        Files.createFile(directory);
    }

    @Override
    protected void comeBack() throws Exception {
        Files.delete(directory);
        Files.move(temporary.resolve("elsewhere"), directory);
    }

    @Override
    protected List<StateTransition> received() throws Exception {
        return Lines.transitions(Lines.ofAll(file, FILES));
    }
}
