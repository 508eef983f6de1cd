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

/** Reads what sinks have written, as a user's program would. */
final class Lines {

    private Lines() {}

    /** Of a rotating file and those set aside, oldest first. */
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

    /** Only the end of a line ends one, not what Unicode calls a line separator. */
    static List<String> of(String text) {
        return text.isEmpty() ? List.of() : List.of(text.split("\n"));
    }

    /** Half a line is passed over: what it was to say comes again. */
    static List<StateTransition> transitions(List<String> lines) {
        List<StateTransition> transitions = new ArrayList<>();
        for (String line : lines) {
            try {
                transitions.add(StateTransition.from(Json.readObject(line.getBytes(UTF_8))));
            } catch (WireFormatException e) {
                continue;
            }
        }
        return transitions;
    }
}
