package io.orth.admin.transition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.StateTransition;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StdoutSinkTest extends TransitionSinkConformance {

    /** Standard output that accepts writes, or fails because its reader has closed it. */
    private static final class Output extends OutputStream {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private final List<String> writes = new ArrayList<>();
        private boolean broken;

        @Override
        public void write(int b) throws IOException {
            write(new byte[] {(byte) b}, 0, 1);
        }

        @Override
        public void write(byte[] written, int offset, int length) throws IOException {
            if (broken) {
                throw new IOException("Broken pipe");
            }
            bytes.write(written, offset, length);
            writes.add(new String(written, offset, length, UTF_8));
        }
    }

    private final Output output = new Output();
    private final StdoutSink sink = new StdoutSink(output);

    @Override
    protected TransitionSink sink() {
        return sink;
    }

    @Override
    protected void goAway() {
        output.broken = true;
    }

    @Override
    protected void comeBack() {
        output.broken = false;
    }

    @Override
    protected List<StateTransition> received() {
        return Lines.transitions(Lines.of(output.bytes.toString(UTF_8)));
    }

    @Test
    void writesEachLineInOneCall() throws IOException {
        sink.emit(1, batch(1, 3));

        assertThat(output.writes).hasSize(3).allMatch(line -> line.indexOf('\n') == line.length() - 1);
    }
}
