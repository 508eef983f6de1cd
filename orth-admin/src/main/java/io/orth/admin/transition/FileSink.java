package io.orth.admin.transition;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.List;

/** A sink that writes transitions to a file of this node, one JSON object per line. */
final class FileSink implements TransitionSink {

    /** Transitions written per call: as lines a few hundred kilobytes. Larger buffers are expensive to reclaim. */
    private static final int WRITTEN_AT_ONCE = 500;

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
            for (int from = 0; from < transitions.size(); from += WRITTEN_AT_ONCE) {
                int to = Math.min(transitions.size(), from + WRITTEN_AT_ONCE);
                file.append(ByteBuffer.wrap(RelayedTransition.toJsonLines(transitions.subList(from, to))));
            }
            file.force();
        } catch (ClosedByInterruptException e) {
            Thread.interrupted();
            throw new InterruptedException("interrupted while it wrote");
        }
    }
}
