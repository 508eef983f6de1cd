package io.orth.admin.transition;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.List;

/** A sink that writes transitions to standard output. Each JSON line is written atomically: other output appears only between lines. */
final class StdoutSink implements TransitionSink {

    private final OutputStream out;

    /** Avoids {@code System.out}, which swallows write errors. */
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
