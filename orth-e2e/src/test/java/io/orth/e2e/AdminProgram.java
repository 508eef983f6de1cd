package io.orth.e2e;

import static org.awaitility.Awaitility.await;

import io.orth.protocol.Json;
import io.orth.testkit.FreePort;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A packaged admin, running as a process on a test's database. */
final class AdminProgram implements AutoCloseable {

    private final AdminImage.Start start;
    private final Program program;
    private final Path directory;
    private final int port;

    private AdminProgram(AdminImage.Start start, Program program, Path directory, int port) {
        this.start = start;
        this.program = program;
        this.directory = directory;
        this.port = port;
    }

    /** One with settings of its own, each like {@code orth.environment=test}. */
    static AdminProgram start(String java, Path directory, Database db, List<String> settings) {
        return start(java, directory, FreePort.find(), db, properties(settings), null);
    }

    private static List<String> properties(List<String> settings) {
        return settings.stream().map(setting -> "-D" + setting).toList();
    }

    /** This one again, after its end: same directory, same address. */
    AdminProgram startAgain(String java, Database db, List<String> settings) {
        start.ended();
        return start(java, directory, port, db, properties(settings), null);
    }

    /** One that ends as if killed when it reaches {@code faultPoint}. */
    static AdminProgram startToHaltAt(
            String faultPoint, String java, Path directory, Database db, List<String> settings) {
        Path testClasses = Installation.ROOT.resolve("orth-e2e/target/test-classes");
        List<String> options = new ArrayList<>(properties(settings));
        options.add("-D%s=%s".formatted(HaltAtFaultPoint.PROPERTY, faultPoint));
        return start(java, directory, FreePort.find(), db, options, testClasses);
    }

    private static AdminProgram start(
            String java, Path directory, int port, Database db, List<String> jvmOptions, Path furtherClasses) {
        AdminImage.Start start = AdminImage.of(java).start(furtherClasses);
        List<String> command = new ArrayList<>(start.command(jvmOptions));
        command.addAll(List.of(
                "--server.port=" + port,
                "--server.address=127.0.0.1",
                "--orth.data-dir=" + directory,
                "--orth.credentials-file=" + directory.resolve("credentials.json"),
                "--orth.database.url=" + db.url(),
                "--orth.database.user=" + db.user(),
                "--orth.database.pool-size=10"));
        makeDirectory(directory);
        Program program =
                Program.start(directory.resolve("admin.log"), Map.of("ORTH_DATABASE_PASSWORD", db.password()), command);
        return new AdminProgram(start, program, directory, port);
    }

    AdminProgram awaitReady() {
        Api anonymous = new Api(url(), "");
        await().atMost(Duration.ofSeconds(90))
                .pollInterval(Duration.ofMillis(100))
                .until(() -> {
                    if (!program.isAlive()) {
                        throw new AssertionError("the admin ended: " + program.output());
                    }
                    return anonymous.statusOf("/actuator/health", false) == 200;
                });
        return this;
    }

    /** Where it keeps its files. */
    Path directory() {
        return directory;
    }

    String url() {
        return "http://127.0.0.1:" + port;
    }

    Api api() {
        try {
            byte[] credentials = Files.readAllBytes(directory.resolve("credentials.json"));
            return new Api(url(), Json.readObject(credentials).requiredText("apiToken"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Program program() {
        return program;
    }

    @Override
    public void close() {
        program.close();
        start.ended();
    }

    private static void makeDirectory(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
