package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OutputLinesTest {

    private final List<String> lines = new ArrayList<>();
    private final OutputLines output = new OutputLines(lines::add);

    @Test
    void handsOnEachLineAsSoonAsItIsWhole() {
        add("one\ntw");
        assertThat(lines).containsExactly("one");

        add("o\n\nthree");
        assertThat(lines).containsExactly("one", "two", "");

        output.end();
        assertThat(lines).containsExactly("one", "two", "", "three");
    }

    @Test
    void takesTheLineEndsOfWindows() {
        add("one\r\ntwo\r\n");

        assertThat(lines).containsExactly("one", "two");
    }

    @Test
    void putsCharactersTogetherThatArriveInPieces() {
        for (byte b : "Grüße, 世界 🎉\n".getBytes(StandardCharsets.UTF_8)) {
            output.add(new byte[] {b}, 1);
        }

        assertThat(lines).containsExactly("Grüße, 世界 🎉");
    }

    @Test
    @Tag("must-executor")
    void replacesBrokenUtf8AndKeepsTheRest() {
        output.add(new byte[] {'a', (byte) 0xff, 'b', (byte) 0xc3, '\n', 'c', (byte) 0xe4, (byte) 0xb8}, 8);
        output.end();

        assertThat(lines).containsExactly("a\uFFFDb\uFFFD", "c\uFFFD");
    }

    @Test
    @Tag("must-executor")
    void cutsALineThatDoesNotEnd() {
        byte[] full = new byte[OutputLines.MAX_BYTES];
        Arrays.fill(full, (byte) 'x');
        for (int i = 0; i < 16; i++) {
            output.add(full, full.length);
        }

        assertThat(lines).hasSizeGreaterThanOrEqualTo(63).allMatch(line -> line.length() == OutputLines.LONGEST_LINE);
        output.end();
        assertThat(lines.stream().mapToInt(String::length).sum()).isEqualTo(16 * OutputLines.MAX_BYTES);
    }

    @Test
    void neverCutsACharacterInTwo() {
        add("x".repeat(OutputLines.LONGEST_LINE - 1) + "🎉 and more");
        output.end();

        assertThat(lines).hasSize(2);
        assertThat(lines.get(0)).endsWith("x🎉");
        assertThat(lines.get(1)).isEqualTo(" and more");
    }

    private void add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        output.add(bytes, bytes.length);
    }
}
