package io.orth.standalone;

import io.orth.executor.ExecutorOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;

/**
 * The command line.
 *
 * @param samples whether to register the sample handlers
 * @param lifeline whether to stop when standard input ends
 */
record StandaloneOptions(ExecutorOptions executor, boolean samples, boolean lifeline) {

    static final String TOKEN_VARIABLE = "ORTH_EXECUTOR_ACCESS_TOKEN";

    static final String USAGE = """
            usage: java -jar orth-standalone-exec.jar --admin URL [options]

              --admin URL         an admin's address; give it again, or a list with commas, for more admins
              --group NAME        the executor group (default: default)
              --host ADDRESS      the local address to listen on (default: all)
              --port N            the port to listen on (default: 0, any free port)
              --data DIR          where logs and unsent results are kept (default: orth-executor)
              --token-file FILE   a file that holds the group's access token
              --samples           register the sample handlers: sample.countdown, sample.failing, sample.heartbeat
              --lifeline stdin    stop when standard input ends
              --help              show this

            The access token comes from the file or from the environment variable %s.
            """.formatted(TOKEN_VARIABLE);

    private static final long MAX_TOKEN_FILE = 64 * 1024;

    /** @throws UsageException with one sentence for the user */
    static StandaloneOptions parse(List<String> arguments, Map<String, String> environment) {
        return new Parser(arguments, environment).parse();
    }

    private static final class Parser {

        private final Deque<String> rest;
        private final Map<String, String> environment;
        private final ExecutorOptions.Builder executor =
                ExecutorOptions.builder().group("default");
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
                return new StandaloneOptions(executor.accessToken(token()).build(), samples, lifeline);
            } catch (IllegalArgumentException e) {
                throw new UsageException(e.getMessage());
            }
        }

        private void option(String name) {
            switch (name) {
                case "--admin" -> admins(valueOf(name));
                case "--group" -> executor.group(valueOf(name));
                case "--host" -> executor.host(valueOf(name));
                case "--port" -> executor.port(port(valueOf(name)));
                case "--data" -> executor.logPath(path(name));
                case "--token-file" -> tokenFile = path(name);
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

        private static int port(String text) {
            try {
                return Integer.parseInt(text);
            } catch (NumberFormatException e) {
                throw new UsageException("--port must be a number, got '%s'".formatted(text));
            }
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
