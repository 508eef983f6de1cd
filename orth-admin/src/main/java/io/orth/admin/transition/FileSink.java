package io.orth.admin.transition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;

/** Writes transitions to a file of this node, one JSON object a line. */
final class FileSink implements TransitionSink {

    private final RotatingFile file;

    FileSink(RotatingFile file) {
        this.file = file;
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public void emit(long term, List<RelayedTransition> transitions) throws IOException, InterruptedException {
        try {
            file.write(ByteBuffer.wrap(RelayedTransition.toJsonLines(transitions)));
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while it wrote");
        }
    }
}
