package io.orth.cli;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Texts given literally, as {@code @FILE}, or as {@code -} for standard input. Reads no more than the largest accepted size. */
final class Input {

    /** The largest payload that an admin accepts. */
    static final int LARGEST = 4 * 1024 * 1024;

    private static final String STANDARD_INPUT = "-";

    private final InputStream standardInput;

    Input(InputStream standardInput) {
        this.standardInput = standardInput;
    }

    /** @param given a text, {@code @FILE} or {@code -} */
    String text(String given) {
        if (given.equals(STANDARD_INPUT)) {
            return read("standard input", () -> standardInput);
        }
        return given.startsWith("@") ? file(given.substring(1)) : given;
    }

    /** @param name a file name, or {@code -} */
    String file(String name) {
        if (name.equals(STANDARD_INPUT)) {
            return text(name);
        }
        try {
            Path file = Path.of(name);
            return read(name, () -> Files.newInputStream(file));
        } catch (InvalidPathException e) {
            throw new UsageException("'%s' cannot be the name of a file".formatted(name));
        }
    }

    private interface Opening {
        InputStream open() throws IOException;
    }

    private static String read(String what, Opening opening) {
        try (InputStream in = opening.open()) {
            byte[] bytes = in.readNBytes(LARGEST + 1);
            if (bytes.length > LARGEST) {
                throw new UsageException("%s has more than %d bytes".formatted(what, LARGEST));
            }
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString();
        } catch (NoSuchFileException e) {
            throw new UsageException("there is no file " + what);
        } catch (CharacterCodingException e) {
            throw new UsageException("%s is not text in UTF-8".formatted(what));
        } catch (IOException e) {
            throw new UsageException("%s cannot be read: %s".formatted(what, e.getMessage()));
        }
    }
}
