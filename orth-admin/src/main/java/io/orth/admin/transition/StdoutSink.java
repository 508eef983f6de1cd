package io.orth.admin.transition;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/**
 * Writes transitions to this node's standard output, one JSON object a line. Each is written on its own, so that what others print
 * comes between lines and not into them.
 */
final class StdoutSink implements TransitionSink {

    private final OutputStream out;

    /** Not on {@code System.out}, which keeps its failures to itself. */
    StdoutSink() {
        this(new FileOutputStream(FileDescriptor.out));
    }

    StdoutSink(OutputStream out) {
        this.out = out;
    }

    @Override
    public String name() {
        return "stdout";
    }

    @Override
    public void emit(long term, List<RelayedTransition> transitions) throws IOException {
        for (RelayedTransition transition : transitions) {
            out.write(RelayedTransition.toJsonLines(List.of(transition)));
        }
    }
}
