package io.orth.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The repository as a new clone would have it: what git knows or would add, and nothing that a build has made. Lives in a
 * directory with a space in its name.
 */
final class FreshCopy {

    private final Path root;
    private final Map<String, String> environment = new HashMap<>();

    private FreshCopy(Path root) {
        this.root = root;
    }

    static FreshCopy in(Path directory) {
        Path root = directory.resolve("a fresh clone");
        try {
            for (String file : filesOfTheRepository()) {
                Path from = Installation.ROOT.resolve(file);
                if (Files.exists(from)) {
                    Path to = root.resolve(file);
                    Files.createDirectories(to.getParent());
                    Files.copy(from, to, StandardCopyOption.COPY_ATTRIBUTES);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new FreshCopy(root);
    }

    /** From now on {@code ./orth} sees this variable. */
    void set(String variable, String value) {
        environment.put(variable, value);
    }

    Program orth(Path output, String... arguments) {
        return orth(output, Map.of(), arguments);
    }

    /** {@code ./orth} as a user would call it, from another directory. */
    Program orth(Path output, Map<String, String> variables, String... arguments) {
        List<String> command = new ArrayList<>(List.of(root.resolve("orth").toString()));
        command.addAll(List.of(arguments));
        Map<String, String> all = new HashMap<>(environment);
        all.putAll(variables);
        return Program.start(output, all, command);
    }

    private static List<String> filesOfTheRepository() throws IOException {
        Process git = new ProcessBuilder("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
                .directory(Installation.ROOT.toFile())
                .start();
        String names = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return List.of(names.split("\0", -1)).stream()
                .filter(name -> !name.isEmpty())
                .toList();
    }
}
