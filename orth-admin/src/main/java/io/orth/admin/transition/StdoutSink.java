package io.orth.admin.transition;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.util.List;

/** Writes transitions to this node's standard output, one JSON object a line. */
final class StdoutSink implements TransitionSink {

    /** Not {@code System.out}, which keeps its failures to itself. */
    private final FileOutputStream out = new FileOutputStream(FileDescriptor.out);

    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public void emit(long term, List<RelayedTransition> transitions) throws IOException {
        out.write(FileSink.lines(transitions));
    }
}
