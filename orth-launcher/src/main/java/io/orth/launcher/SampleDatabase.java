package io.orth.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The database of the sample pipeline's texts: a separate schema in the database that the admin runs. Nothing is configured if
 * the user's environment sets one of these variables, even to an empty value, or if the admin uses the user's own database.
 *
 * <p>The password is passed as a file name, because scripts can read the executor's variables.
 */
final class SampleDatabase {

    private static final String URL = "HYDRATE_DB_URL";
    private static final String USER = "HYDRATE_DB_USER";
    private static final String PASSWORD_FILE = "HYDRATE_DB_PASSWORD_FILE";
    private static final List<String> USERS_OWN =
            List.of(URL, USER, PASSWORD_FILE, "HYDRATE_DB_PASSWORD", "HYDRATE_CONTENT_DIR");

    /** The line to which PostgreSQL writes its port. */
    private static final int LINE_OF_THE_PORT = 3;

    private final LauncherOptions options;
    private final Map<String, String> environment;

    /** @param environment the user's environment */
    SampleDatabase(LauncherOptions options, Map<String, String> environment) {
        this.options = options;
        this.environment = environment;
    }

    /** Returns the variables for the sample executor; empty if it uses its own settings. Requires a running admin. */
    Map<String, String> variables() {
        if (options.database().isPresent() || USERS_OWN.stream().anyMatch(environment::containsKey)) {
            return Map.of();
        }
        Path password = directory().resolve("password");
        return port().filter(any -> Files.isReadable(password))
                .map(port -> Map.of(
                        URL, "jdbc:postgresql://127.0.0.1:%d/orth?currentSchema=hydrate".formatted(port),
                        USER, "orth",
                        PASSWORD_FILE, password.toString()))
                .orElse(Map.of());
    }

    private Path directory() {
        return options.dataDirectory().resolve("postgres");
    }

    private Optional<Integer> port() {
        try {
            List<String> lines = Files.readAllLines(directory().resolve("cluster/postmaster.pid"));
            return Optional.of(Integer.parseInt(lines.get(LINE_OF_THE_PORT).strip()));
        } catch (IOException | NumberFormatException | IndexOutOfBoundsException e) {
            return Optional.empty();
        }
    }
}
