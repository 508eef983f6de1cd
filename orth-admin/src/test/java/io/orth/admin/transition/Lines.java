package io.orth.admin.transition;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orth.protocol.Json;
import io.orth.protocol.StateTransition;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the output of sinks as a user's program would. */
final class Lines {

    private Lines() {}

    /** Lines of a rotating file and its rotated files, oldest first. */
    static List<String> ofAll(Path file, int files) throws IOException {
        List<String> lines = new ArrayList<>();
        for (int n = files - 1; n >= 0; n--) {
            Path one = n == 0 ? file : file.resolveSibling(file.getFileName() + "." + n);
            if (Files.exists(one)) {
                lines.addAll(of(Files.readString(one)));
            }
        }
        return lines;
    }

    /** Splits at line feeds only, not at Unicode line separators. */
    static List<String> of(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n"));
    }

    /** Skips incomplete lines: their transitions are delivered again. */
    static List<StateTransition> transitions(List<String> lines) {
        return lines.stream().flatMap(line -> transition(line).stream()).toList();
    }

    private static Optional<StateTransition> transition(String line) {
        try {
            return Optional.of(StateTransition.from(Json.readObject(line.getBytes(UTF_8))));
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }
}
