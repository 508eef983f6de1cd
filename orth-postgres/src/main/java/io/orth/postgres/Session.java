package io.orth.postgres;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Starts a program in a session of its own, so that Ctrl-C in a terminal reaches only Orth, which stops the server when it no longer
 * needs it. If {@code setsid} is not available, the server receives the Ctrl-C too and ends slightly earlier.
 */
final class Session {

    private static final Optional<Path> SETSID = Stream.of("/usr/bin/setsid", "/bin/setsid")
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();

    private Session() {}

    static List<String> own(List<String> command) {
        if (SETSID.isEmpty()) {
            return command;
        }
        List<String> whole = new ArrayList<>(command.size() + 1);
        whole.add(SETSID.get().toString());
        whole.addAll(command);
        return whole;
    }
}
