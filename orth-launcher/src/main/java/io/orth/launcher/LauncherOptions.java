package io.orth.launcher;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The command line options.
 *
 * @param database the user's own database; if absent, the admin runs an embedded one
 * @param cache directory for files that can be recreated at any time, shared by all data directories; without it, starts take
 *     longer
 * @param trial whether to stop as soon as everything runs
 */
record LauncherOptions(
        int port,
        Path dataDirectory,
        Optional<Path> cache,
        Optional<Database> database,
        boolean samples,
        boolean trial,
        Path java,
        Path adminJar,
        Path executorJar) {

    /** The location of the user's own PostgreSQL. */
    record Database(String url, String user, String password) {

        /** Omits the password. */
        @Override
        public String toString() {
            return user.isEmpty() ? url : user + " at " + url;
        }
    }

    static final String PASSWORD_VARIABLE = "ORTH_DATABASE_PASSWORD";

    private static final String NO_SAMPLES = "--no-samples";
    private static final String TRIAL = "--trial";
    private static final Set<String> WITH_VALUE = Set.of(
            "--port",
            "--data",
            "--cache",
            "--db-url",
            "--db-user",
            "--db-password",
            "--java",
            "--admin-jar",
            "--executor-jar");
    private static final String DEFAULT_PORT = "8080";
    private static final int HIGHEST_PORT = 65_535;

    static LauncherOptions parse(List<String> arguments, Map<String, String> environment) {
        Map<String, String> given = read(arguments);
        return new LauncherOptions(
                port(given.getOrDefault("--port", DEFAULT_PORT)),
                path(given, "--data"),
                given.containsKey("--cache") ? Optional.of(path(given, "--cache")) : Optional.empty(),
                database(given, environment),
                !given.containsKey(NO_SAMPLES),
                given.containsKey(TRIAL),
                path(given, "--java"),
                path(given, "--admin-jar"),
                path(given, "--executor-jar"));
    }

    /** Later options override earlier ones, so that a user can override the options that a script sets. */
    private static Map<String, String> read(List<String> arguments) {
        Map<String, String> given = new HashMap<>();
        Deque<String> rest = new ArrayDeque<>(arguments);
        while (!rest.isEmpty()) {
            String[] option = rest.remove().split("=", 2);
            String name = option[0];
            if (name.equals(NO_SAMPLES) || name.equals(TRIAL)) {
                given.put(name, "");
            } else if (WITH_VALUE.contains(name)) {
                given.put(name, option.length == 2 ? option[1] : valueOf(name, rest));
            } else {
                throw LauncherException.usage("'%s' is not an option of up; ./orth help lists them.".formatted(name));
            }
        }
        return given;
    }

    private static String valueOf(String name, Deque<String> rest) {
        String value = rest.poll();
        if (value == null || value.startsWith("--")) {
            throw LauncherException.usage("%s needs a value.".formatted(name));
        }
        return value;
    }

    private static int port(String text) {
        try {
            int port = Integer.parseInt(text);
            if (port >= 1 && port <= HIGHEST_PORT) {
                return port;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw LauncherException.usage("--port must be a number from 1 to %d, got '%s'.".formatted(HIGHEST_PORT, text));
    }

    private static Path path(Map<String, String> given, String name) {
        String value = given.get(name);
        if (value == null || value.isBlank()) {
            throw LauncherException.usage("%s is missing.".formatted(name));
        }
        try {
            return Path.of(value).toAbsolutePath().normalize();
        } catch (InvalidPathException e) {
            throw LauncherException.usage("%s must be a path, got '%s'.".formatted(name, value));
        }
    }

    private static Optional<Database> database(Map<String, String> given, Map<String, String> environment) {
        String url = given.get("--db-url");
        if (url == null) {
            if (given.containsKey("--db-user") || given.containsKey("--db-password")) {
                throw LauncherException.usage("--db-user and --db-password need --db-url.");
            }
            return Optional.empty();
        }
        if (!url.startsWith("jdbc:postgresql:")) {
            throw LauncherException.usage(
                    "--db-url must start with jdbc:postgresql:, like jdbc:postgresql://host:5432/orth, got '%s'."
                            .formatted(url));
        }
        String password = given.getOrDefault("--db-password", environment.getOrDefault(PASSWORD_VARIABLE, ""));
        return Optional.of(new Database(url, given.getOrDefault("--db-user", ""), password));
    }

    String baseUrl() {
        return "http://127.0.0.1:" + port;
    }

    Path credentialsFile() {
        return dataDirectory.resolve("credentials.json");
    }

    Path logFile(String child) {
        return dataDirectory.resolve("log").resolve(child + ".log");
    }
}
