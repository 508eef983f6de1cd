package io.orth.admin.transition;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** Writes transitions to standard output, each JSON line by itself: other output comes between lines only. */
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
