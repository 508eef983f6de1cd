package io.orth.executor.internal.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * One file of a log, open for reading: the head {@code {logId}.log}, or one of the two tails {@code {logId}.log.tail1} and
 * {@code .tail2}. A tail starts with a header line of fixed length that holds its position in the output. A tail without that
 * line is incomplete and counts as absent.
 *
 * @param start number of this part's first byte in the output of the run
 * @param firstLine number of the line that contains that byte, from 1
 * @param headerBytes bytes before the text in the file
 * @param end number of the byte after the last one present when the part was opened
 */
record LogPart(Path file, SeekableByteChannel channel, long start, long firstLine, int headerBytes, long end)
        implements Closeable {

    private static final String HEADER = "[the output goes on here: byte %016d, line %016d]\n";
    private static final Pattern HEADER_PATTERN =
            Pattern.compile("\\[the output goes on here: byte (\\d{16}), line (\\d{16})]\n");
    private static final int HEADER_BYTES = header(0, 0).length;
    private static final int MOST_TRIES = 10;

    static byte[] header(long start, long firstLine) {
        return HEADER.formatted(start, firstLine).getBytes(StandardCharsets.US_ASCII);
    }

    /** Returns the tail to write after {@code last}, which is the head or the other tail. */
    static Path after(Path last, Path head) {
        return last.equals(tail(head, 1)) ? tail(head, 2) : tail(head, 1);
    }

    /**
     * Opens the existing parts in the order of the text; the caller closes them. The files are opened one after the other and may
     * be replaced meanwhile. If the first tail has changed by then, they are opened again; otherwise the newer tail could be
     * missed and the log would appear to shrink.
     */
    static List<LogPart> openAll(Path head) throws IOException {
        for (int tries = 1; tries < MOST_TRIES; tries++) {
            List<LogPart> parts = openOnce(head);
            if (isStillFirstTail(parts, head)) {
                return parts;
            }
            closeAll(parts);
        }
        return openOnce(head);
    }

    private static List<LogPart> openOnce(Path head) throws IOException {
        List<LogPart> parts = new ArrayList<>();
        try {
            parts.add(new LogPart(head, open(head), 0, 1, 0, 0));
            for (int i = 1; i <= 2; i++) {
                openTail(tail(head, i)).ifPresent(parts::add);
            }
            for (int i = 0; i < parts.size(); i++) {
                parts.set(i, parts.get(i).measured());
            }
        } catch (NoSuchFileException e) {
            return List.of();
        } catch (IOException | RuntimeException e) {
            closeAll(parts);
            throw e;
        }
        parts.sort(Comparator.comparingLong(LogPart::start));
        return parts;
    }

    private static boolean isStillFirstTail(List<LogPart> parts, Path head) throws IOException {
        Path file = tail(head, 1);
        Optional<Long> before = parts.stream()
                .filter(part -> part.file().equals(file))
                .map(LogPart::start)
                .findFirst();
        Optional<LogPart> now = openTail(file);
        if (now.isPresent()) {
            now.get().close();
        }
        return before.equals(now.map(LogPart::start));
    }

    /**
     * Measures the part after all parts are open. A part with a successor was complete by then, so the measurement shows no false
     * gap.
     */
    private LogPart measured() throws IOException {
        return new LogPart(file, channel, start, firstLine, headerBytes, start + channel.size() - headerBytes);
    }

    private static Optional<LogPart> openTail(Path file) throws IOException {
        if (!file.toFile().exists()) {
            return Optional.empty();
        }
        SeekableByteChannel channel;
        try {
            channel = open(file);
        } catch (NoSuchFileException e) {
            // The writer has just replaced the file.
            return Optional.empty();
        }
        ByteBuffer header = ByteBuffer.allocate(HEADER_BYTES);
        readFully(channel, header);
        Matcher found = HEADER_PATTERN.matcher(new String(header.array(), StandardCharsets.US_ASCII));
        if (!found.matches()) {
            channel.close();
            return Optional.empty();
        }
        return Optional.of(new LogPart(
                file, channel, Long.parseLong(found.group(1)), Long.parseLong(found.group(2)), HEADER_BYTES, 0));
    }

    /** Returns the number of text bytes. */
    long size() {
        return end - start;
    }

    /** Reads from the byte numbered {@code from} until {@code into} is full or the part ends. */
    void read(long from, ByteBuffer into) throws IOException {
        channel.position(headerBytes + from - start);
        into.limit((int) Math.min(into.limit(), into.position() + end - from));
        readFully(channel, into);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }

    static void closeAll(List<LogPart> parts) throws IOException {
        for (LogPart part : parts) {
            part.close();
        }
    }

    private static Path tail(Path head, int number) {
        return head.resolveSibling(head.getFileName() + ".tail" + number);
    }

    private static SeekableByteChannel open(Path file) throws IOException {
        return Files.newByteChannel(file, Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS));
    }

    private static void readFully(SeekableByteChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining() && channel.read(into) >= 0) {
            // Reads until the buffer is full or the file ends.
        }
    }
}
