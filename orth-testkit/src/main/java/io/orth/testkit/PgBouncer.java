package io.orth.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A real PgBouncer in transaction mode before a PostgreSQL server: each transaction of a client may get another session, and there are
 * fewer sessions than clients. {@code ./orth test} finds or fetches the program; otherwise {@code -Dorth.pgbouncer} or the path has it.
 */
public final class PgBouncer implements AutoCloseable {

    private static final Pattern ADDRESS = Pattern.compile("jdbc:postgresql://([^:/]+):(\\d+)/([^?]*).*");
    private static final long LONGEST_START_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    /** It refuses to run as root. */
    private static final String UNPRIVILEGED = "nobody";

    private static final String CONFIGURATION = """
            [databases]
            * = host=%s port=%s user=%s password=%s
            [pgbouncer]
            listen_addr = 127.0.0.1
            listen_port = %d
            unix_socket_dir =
            auth_type = any
            pool_mode = transaction
            default_pool_size = %d
            max_client_conn = 500
            server_login_retry = 1
            %s
            %s
            """;

    private final Process process;
    private final Path directory;
    private final int port;
    private final String database;

    private PgBouncer(Process process, Path directory, int port, String database) {
        this.process = process;
        this.directory = directory;
        this.port = port;
        this.database = database;
    }

    /** Where the program is; empty if there is none. */
    public static Optional<Path> program() {
        String named = System.getProperty("orth.pgbouncer", "");
        Stream<Path> known = named.isEmpty()
                ? Stream.concat(
                        Arrays.stream(System.getenv("PATH").split(":")).map(each -> Path.of(each, "pgbouncer")),
                        Stream.of(Path.of("/usr/sbin/pgbouncer")))
                : Stream.of(Path.of(named));
        return known.filter(Files::isExecutable).findFirst();
    }

    /** With the defaults of its configuration. */
    public static PgBouncer before(String url, String user, String password, int sessions) {
        return before(url, user, password, sessions, "");
    }

    /** @param setting a further line of its configuration */
    public static PgBouncer before(String url, String user, String password, int sessions, String setting) {
        Path program = program()
                .orElseThrow(() -> new IllegalStateException("there is no pgbouncer: name it by -Dorth.pgbouncer"));
        Matcher address = ADDRESS.matcher(url);
        if (!address.matches()) {
            throw new IllegalArgumentException("not the URL of one server: " + url);
        }
        try {
            int port = FreePort.find();
            Path directory = Files.createTempDirectory("orth-test-pgbouncer-");
            String other = System.getProperty("user.name").equals("root") ? "user = " + UNPRIVILEGED : "";
            Path configuration = Files.writeString(
                    directory.resolve("pgbouncer.ini"),
                    CONFIGURATION.formatted(
                            address.group(1), address.group(2), user, password, port, sessions, setting, other));
            PgBouncer pooler = new PgBouncer(launch(program, configuration), directory, port, address.group(3));
            pooler.awaitReady();
            return pooler;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Process launch(Path program, Path configuration) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(program.toString(), configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(configuration.resolveSibling("log").toFile());
        // What was unpacked and not installed has its libraries beside it.
        Path unpacked = program.resolve("../../lib").normalize();
        if (Files.isDirectory(unpacked) && !program.startsWith("/usr")) {
            try (Stream<Path> tree = Files.walk(unpacked, 1)) {
                builder.environment()
                        .put(
                                "LD_LIBRARY_PATH",
                                String.join(":", tree.map(Path::toString).toList()));
            }
        }
        Process process = builder.start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "stop-pgbouncer"));
        return process;
    }

    private void awaitReady() throws IOException {
        long begin = System.nanoTime();
        while (!answers()) {
            if (!process.isAlive() || System.nanoTime() - begin > LONGEST_START_NANOS) {
                process.destroyForcibly();
                throw new IOException("PgBouncer did not start:\n" + Files.readString(directory.resolve("log")));
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private boolean answers() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** Of the same database through the pooler. */
    public String url() {
        return "jdbc:postgresql://127.0.0.1:%d/%s".formatted(port, database);
    }

    @Override
    public void close() {
        process.destroyForcibly();
        process.onExit().join();
        TestDirectories.delete(directory);
    }
}
