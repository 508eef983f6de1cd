package io.orth.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import java.util.StringJoiner;

/**
 * The PostgreSQL server that all test JVMs of a build share. The first that needs it starts it in a process of its own, a
 * {@link Guardian}; the others find its address in a file that only this user can read.
 */
final class BuildServer {

    /** Names of the files with addresses; they begin with the process id of the build. */
    private static final String ADDRESSES = "[0-9]*";

    private BuildServer() {}

    /** Test JVMs take turns here, so that two never start a server for the same build. */
    static synchronized ServerAddress of(Build build) throws IOException {
        Path meeting = TestDirectories.meeting();
        Path file = meeting.resolve(build.key());
        try (FileChannel channel =
                FileChannel.open(meeting.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            channel.lock();
            Optional<ServerAddress> known = ServerAddress.read(file).filter(ServerAddress::isAttended);
            return known.isPresent() ? known.get() : start(build, file);
        }
    }

    private static ServerAddress start(Build build, Path file) throws IOException {
        removeAbandoned(file.getParent());
        Process guardian = new ProcessBuilder(command(build, file))
                .redirectErrorStream(true)
                .start();
        guardian.getOutputStream().close();
        try (BufferedReader output = guardian.inputReader(StandardCharsets.UTF_8)) {
            awaitReady(output);
        }
        return ServerAddress.read(file)
                .orElseThrow(() -> new IllegalStateException("the test server ended as soon as it was ready"));
    }

    private static void awaitReady(BufferedReader output) throws IOException {
        StringJoiner said = new StringJoiner("\n");
        String line = output.readLine();
        while (!Guardian.READY.equals(line)) {
            if (line == null) {
                throw new IllegalStateException("the test server did not start:\n" + said);
            }
            said.add(line);
            line = output.readLine();
        }
    }

    private static List<String> command(Build build, Path file) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                // Surefire's own class path is a jar that is gone when the first test JVM is.
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Guardian.class.getName(),
                Long.toString(build.pid()),
                file.toString());
    }

    /** Addresses that killed guardians could not remove. */
    private static void removeAbandoned(Path meeting) throws IOException {
        try (DirectoryStream<Path> files = Files.newDirectoryStream(meeting, ADDRESSES)) {
            for (Path file : files) {
                if (ServerAddress.read(file).filter(ServerAddress::isAttended).isEmpty()) {
                    Files.deleteIfExists(file);
                }
            }
        }
    }
}
