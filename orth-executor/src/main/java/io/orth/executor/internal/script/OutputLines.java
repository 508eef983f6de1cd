package io.orth.executor.internal.script;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/**
 * Decodes bytes into lines of text. Malformed UTF-8 becomes replacement characters. An unterminated line is passed on in chunks,
 * which bounds the memory. Not thread-safe.
 */
final class OutputLines {

    /** Maximum number of bytes per call of {@link #add}. */
    static final int MAX_BYTES = 65_536;

    /** In characters. */
    static final int LONGEST_LINE = 16_384;

    private static final int LONGEST_CHARACTER = 4;

    private final Consumer<String> sink;
    private final CharsetDecoder decoder = StandardCharsets.UTF_8
            .newDecoder()
            .onMalformedInput(CodingErrorAction.REPLACE)
            .onUnmappableCharacter(CodingErrorAction.REPLACE);
    private final ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES + LONGEST_CHARACTER);
    private final CharBuffer chars = CharBuffer.allocate(8_192);
    private final StringBuilder line = new StringBuilder();

    OutputLines(Consumer<String> sink) {
        this.sink = sink;
    }

    void add(byte[] data, int length) {
        bytes.put(data, 0, length);
        decode(false);
    }

    /** Passes on the remaining text. Nothing may be added afterwards. */
    void end() {
        decode(true);
        decoder.flush(chars);
        split();
        if (!line.isEmpty()) {
            emit();
        }
    }

    private void decode(boolean last) {
        bytes.flip();
        CoderResult result;
        do {
            result = decoder.decode(bytes, chars, last);
            split();
        } while (result.isOverflow());
        bytes.compact();
    }

    private void split() {
        chars.flip();
        while (chars.hasRemaining()) {
            char c = chars.get();
            if (c == '\n') {
                emit();
            } else {
                makeRoomFor(c);
                line.append(c);
            }
        }
        chars.clear();
    }

    /** Splits a line that is too long, but never between the halves of a surrogate pair. */
    private void makeRoomFor(char next) {
        if (line.length() >= LONGEST_LINE && !Character.isLowSurrogate(next)) {
            emit();
        }
    }

    private void emit() {
        int end = line.length();
        if (end > 0 && line.charAt(end - 1) == '\r') {
            end--;
        }
        String text = line.substring(0, end);
        line.setLength(0);
        sink.accept(text);
    }
}
