package io.orth.postgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** The PostgreSQL data of one directory. Used only by the holder of its {@link DirectoryLock}. */
final class Cluster {

    private static final Duration INITDB_LIMIT = Duration.ofMinutes(2);
    private static final int PASSWORD_BYTES = 24;

    private final Path directory;
    private final Path data;
    private final Path passwordFile;
    private final Binaries binaries;
    private final ServerUser user;
    private final boolean durable;

    Cluster(Path directory, Binaries binaries, ServerUser user, boolean durable) {
        this.directory = directory;
        this.data = directory.resolve("cluster");
        this.passwordFile = directory.resolve("password");
        this.binaries = binaries;
        this.user = user;
        this.durable = durable;
    }

    Path data() {
        return data;
    }

    Path log() {
        return directory.resolve("log").resolve("postgres.log");
    }

    String password() {
        try {
            return Files.readString(passwordFile).strip();
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The database in %s exists, but its password file %s cannot be read (%s)."
                            .formatted(data, passwordFile, Directories.reason(e)),
                    e);
        }
    }

    /** Returns the command that runs one of the server's programs as the right user. */
    List<String> command(String program, List<String> arguments) {
        List<String> command = new ArrayList<>();
        command.add(binaries.program(program));
        command.addAll(arguments);
        return user.command(command);
    }

    void stopLeftovers(Duration limit) {
        Leftovers.of(data).stop(limit);
    }

    void initializeIfMissing() {
        try {
            if (Files.exists(data)) {
                checkVersion();
                user.own(data);
            } else {
                initialize();
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The database in %s cannot be made ready: %s.".formatted(data, Directories.reason(e)), e);
        }
    }

    private void checkVersion() throws IOException {
        Path file = data.resolve("PG_VERSION");
        if (!Files.exists(file)) {
            throw new EmbeddedPostgresException(
                    "%s is not a PostgreSQL data directory; move it away, so that Orth can make one.".formatted(data));
        }
        String version = Files.readString(file).strip();
        if (!version.equals(binaries.majorVersion())) {
            throw new EmbeddedPostgresException(
                    "The database in %s was made by PostgreSQL %s, but this Orth brings PostgreSQL %s; start the Orth that made it, or move its data over."
                            .formatted(data, version, binaries.majorVersion()));
        }
    }

    /** Creates the data in a temporary directory and renames it last, so an interrupted attempt is simply repeated. */
    private void initialize() throws IOException {
        Path fresh = directory.resolve("cluster.new");
        Directories.delete(fresh);
        Files.createDirectory(fresh, PosixFilePermissions.asFileAttribute(Directories.OWNER_ONLY));
        user.own(fresh);
        writeNewPassword();
        runInitdb(fresh);
        Files.move(fresh, data, StandardCopyOption.ATOMIC_MOVE);
        if (durable) {
            Directories.force(directory);
        }
    }

    private void writeNewPassword() throws IOException {
        byte[] random = new byte[PASSWORD_BYTES];
        new SecureRandom().nextBytes(random);
        Files.deleteIfExists(passwordFile);
        Files.createFile(
                passwordFile, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(passwordFile, HexFormat.of().formatHex(random));
    }

    private void runInitdb(Path fresh) throws IOException {
        Path password = Files.createTempFile(directory, "initdb", null);
        try {
            Files.copy(passwordFile, password, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
            user.own(password);
            Commands.Ended initdb = Commands.run(command("initdb", initdbArguments(fresh, password)), INITDB_LIMIT);
            if (!initdb.succeeded()) {
                throw new EmbeddedPostgresException("PostgreSQL could not make its data directory %s: %s"
                        .formatted(fresh, lastLine(initdb.output())));
            }
        } finally {
            Files.deleteIfExists(password);
        }
    }

    private List<String> initdbArguments(Path fresh, Path password) {
        List<String> arguments = new ArrayList<>(List.of(
                "--pgdata=" + fresh,
                "--username=" + EmbeddedPostgres.USER,
                "--pwfile=" + password,
                "--auth=scram-sha-256",
                "--encoding=UTF8",
                "--no-locale",
                "--locale-provider=builtin",
                "--builtin-locale=C.UTF-8",
                "--no-instructions"));
        if (!durable) {
            arguments.add("--no-sync");
            // Tests connect often, and hashing the password would dominate the time of a connection.
            arguments.addAll(List.of("--set", "scram_iterations=1"));
        }
        return arguments;
    }

    private static String lastLine(String output) {
        return output.lines().filter(line -> !line.isBlank()).reduce("", (before, line) -> line);
    }
}
