package io.orth.standalone;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The command line options.
 *
 * @param grace how long accepted work may continue when the program is stopped
 * @param samples whether to register the sample handlers
 * @param lifeline whether to stop when standard input ends
 */
record StandaloneOptions(ExecutorOptions executor, Duration grace, boolean samples, boolean lifeline) {

    static final String TOKEN_VARIABLE = "ORTH_EXECUTOR_ACCESS_TOKEN";

    static final String USAGE = """
            usage: java -jar orth-standalone-exec.jar --admin URL [options]

              --admin URL         an admin's address; give it again, or a list with commas, for more admins
              --group NAME        the executor group (default: default)
              --host ADDRESS      the local address to listen on (default: all)
              --port N            the port to listen on (default: 0, any free port)
              --advertise URL     where admins reach this executor (default: derived from the way to the first admin)
              --data DIR          where logs, scripts and unsent results are kept (default: orth-executor)
              --token-file FILE   a file that holds the group's access token
              --interpreter L=P   use the program P for scripts of the language L, one of
                                  %s
                                  (default: %s)
              --no-scripts        refuse scripts
              --no-glue           refuse Groovy
              --grace SECONDS     how long accepted work may go on when the executor is stopped (default: 3)
              --samples           register the sample handlers: sample.countdown, sample.failing, sample.heartbeat,
                                  and the stages of the pipeline hydrateAll (settings: HYDRATE_… variables)
              --lifeline stdin    stop when standard input ends
              --help              show this

            Scripts and Groovy are run with the rights of this program, for whoever may change jobs of its group in the admin.
            The access token comes from the file or from the environment variable %s.
            """.formatted(languages(), interpreters(), TOKEN_VARIABLE);

    private static final long MAX_TOKEN_FILE = 64 * 1024;
    private static final int LONGEST_GRACE = 86_400;

    /** Short, because stopping the program blocks its caller for that long. */
    private static final Duration DEFAULT_GRACE = Duration.ofSeconds(3);

    /** @throws UsageException for an invalid command line; the message is one sentence for the user */
    static StandaloneOptions parse(List<String> arguments, Map<String, String> environment) {
        return new Parser(arguments, environment).parse();
    }

    private static String languages() {
        return Arrays.stream(ScriptLanguage.values())
                .map(StandaloneOptions::nameOf)
                .collect(Collectors.joining(", "));
    }

    private static String interpreters() {
        return Arrays.stream(ScriptLanguage.values())
                .map(ScriptLanguage::defaultInterpreter)
                .collect(Collectors.joining(", "));
    }

    private static String nameOf(ScriptLanguage language) {
        return language.name().toLowerCase(Locale.ROOT);
    }

    private static final class Parser {

        private final Deque<String> rest;
        private final Map<String, String> environment;
        private final ExecutorOptions.Builder executor =
                ExecutorOptions.builder().group("default").scriptsEnabled(true).glueEnabled(true);
        private Duration grace = DEFAULT_GRACE;
        private Path tokenFile;
        private boolean hasAdmin;
        private boolean samples;
        private boolean lifeline;

        Parser(List<String> arguments, Map<String, String> environment) {
            this.rest = new ArrayDeque<>(arguments);
            this.environment = environment;
        }

        StandaloneOptions parse() {
            try {
                while (!rest.isEmpty()) {
                    option(rest.remove());
                }
                if (!hasAdmin) {
                    throw new UsageException(
                            "--admin is missing: give the address of an admin, like http://localhost:8080");
                }
                return new StandaloneOptions(executor.accessToken(token()).build(), grace, samples, lifeline);
            } catch (IllegalArgumentException e) {
                throw new UsageException(e.getMessage());
            }
        }

        private void option(String name) {
            switch (name) {
                case "--admin" -> admins(valueOf(name));
                case "--group" -> executor.group(valueOf(name));
                case "--host" -> executor.host(valueOf(name));
                case "--port" -> executor.port(number(name));
                case "--advertise" -> executor.advertisedAddress(valueOf(name));
                case "--data" -> executor.logPath(path(name));
                case "--token-file" -> tokenFile = path(name);
                case "--interpreter" -> interpreter(valueOf(name));
                case "--no-scripts" -> executor.scriptsEnabled(false);
                case "--no-glue" -> executor.glueEnabled(false);
                case "--grace" -> grace = grace(number(name));
                case "--samples" -> samples = true;
                case "--lifeline" -> lifeline(valueOf(name));
                default -> throw new UsageException("'%s' is not an option; --help lists them".formatted(name));
            }
        }

        private String valueOf(String name) {
            String value = rest.poll();
            if (value == null || value.startsWith("--")) {
                throw new UsageException(name + " needs a value");
            }
            return value;
        }

        private void admins(String list) {
            for (String admin : list.split(",", -1)) {
                executor.admin(admin);
                hasAdmin = true;
            }
        }

        private int number(String name) {
            String text = valueOf(name);
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new UsageException("%s must be a number, got '%s'".formatted(name, text));
            }
        }

        private static Duration grace(int seconds) {
            if (seconds < 0 || seconds > LONGEST_GRACE) {
                throw new UsageException(
                        "--grace must be between 0 and %d seconds, got %d".formatted(LONGEST_GRACE, seconds));
            }
            return Duration.ofSeconds(seconds);
        }

        private void interpreter(String assignment) {
            int equals = assignment.indexOf('=');
            String name = assignment.substring(0, Math.max(0, equals));
            ScriptLanguage language = Arrays.stream(ScriptLanguage.values())
                    .filter(any -> nameOf(any).equals(name))
                    .findFirst()
                    .orElseThrow(() ->
                            new UsageException("--interpreter must be like php=/usr/bin/php, with one of %s; got '%s'"
                                    .formatted(languages(), assignment)));
            executor.interpreter(language, assignment.substring(equals + 1));
        }

        private Path path(String name) {
            String value = valueOf(name);
            try {
                return Path.of(value);
            } catch (InvalidPathException e) {
                throw new UsageException("%s must be a path, got '%s'".formatted(name, value));
            }
        }

        private void lifeline(String kind) {
            if (!kind.equals("stdin")) {
                throw new UsageException("--lifeline must be stdin, got '%s'".formatted(kind));
            }
            lifeline = true;
        }

        private String token() {
            String token = tokenFile == null ? environment.get(TOKEN_VARIABLE) : readToken();
            if (token == null || token.isBlank()) {
                throw new UsageException(
                        "the access token is missing: set %s or give --token-file".formatted(TOKEN_VARIABLE));
            }
            return token.strip();
        }

        private String readToken() {
            try {
                if (Files.size(tokenFile) > MAX_TOKEN_FILE) {
                    throw new UsageException("the token file %s is too large".formatted(tokenFile));
                }
                return Files.readString(tokenFile);
            } catch (IOException e) {
                throw new UsageException("the token file %s cannot be read: %s".formatted(tokenFile, e.getMessage()));
            }
        }
    }
}
