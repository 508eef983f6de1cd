package io.orth.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** A test JVM of some build: takes a database, says which, and gives everything back when its input ends. */
final class TestJvm implements AutoCloseable {

    private static final String HAS = "has ";

    /** The JVM's resources. */
    record Has(int port, Path directory, String database) {}

    private final Process process;
    private final BufferedReader output;

    private TestJvm(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Argument: the process id of the build. */
    public static void main(String[] args) throws IOException {
        try (TestServer server = TestServer.open(Build.of(Long.parseLong(args[0])))) {
            ServerAddress address = server.address();
            String database = server.pool(DatabasePool.NO_MIGRATIONS).take().name();
            System.out.println(HAS + "%d %s %s".formatted(address.port(), address.directory(), database));
            while (System.in.read() != -1) {
                // Only the end counts.
            }
        }
    }

    static TestJvm start(Process build) throws IOException {
        return new TestJvm(new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        TestJvm.class.getName(),
                        Long.toString(build.pid()))
                .redirectErrorStream(true)
                .start());
    }

    Has has() throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith(HAS)) {
            line = output.readLine();
        }
        String[] words =
                Optional.ofNullable(line).orElseThrow().substring(HAS.length()).split(" ", 3);
        return new Has(Integer.parseInt(words[0]), Path.of(words[1]), words[2]);
    }

    /** As {@code kill -9} does it. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit()
                .completeOnTimeout(process, 30, TimeUnit.SECONDS)
                .thenAccept(Process::destroyForcibly)
                .join();
    }
}
