package io.orth.launcher;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/** The actions of fake children, in a file that the test reads. */
final class Events {

    private Events() {}

    static void record(Path data, String event) {
        try {
            Files.writeString(
                    data.resolve("events"), event + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<String> of(Path data) throws IOException {
        Path file = data.resolve("events");
        return Files.exists(file) ? Files.readAllLines(file) : List.of();
    }

    static ProcessHandle process(Path data, String name) throws IOException {
        String prefix = name + " started ";
        String pid = of(data).stream()
                .filter(event -> event.startsWith(prefix))
                .reduce((before, event) -> event)
                .orElseThrow()
                .substring(prefix.length());
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    static void awaitEndOfInput() throws IOException {
        while (System.in.read() >= 0) {
            // Only the end counts.
        }
        System.exit(0);
    }
}
