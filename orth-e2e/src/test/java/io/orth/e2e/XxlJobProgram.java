package io.orth.e2e;

import io.orth.testkit.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** {@link XxlJobExecutor} as a process, with the published jar of one version. */
final class XxlJobProgram implements AutoCloseable {

    /** Dependencies of XXL-JOB's jar that Orth's own tests have too. */
    private static final Pattern SHARED =
            Pattern.compile(".*[/\\\\](netty-[a-z-]+|gson|groovy|slf4j-api)-[0-9][^/\\\\]*\\.jar");

    private static final Path MODULE = Installation.ROOT.resolve("orth-e2e/target");

    private final Program program;
    private final Path directory;

    private XxlJobProgram(Program program, Path directory) {
        this.program = program;
        this.directory = directory;
    }

    static XxlJobProgram start(String version, String admin, String group, String token, Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<String> command = List.of(
                Installation.javas().get(0),
                "-Xmx128m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath(version),
                XxlJobExecutor.class.getName(),
                admin,
                group,
                Integer.toString(FreePort.find()),
                directory.toString());
        Map<String, String> environment = Map.of("XXL_JOB_ACCESS_TOKEN", token);
        return new XxlJobProgram(Program.start(directory.resolve("output.log"), environment, command), directory);
    }

    private static String classPath(String version) {
        Stream<String> shared = Arrays.stream(
                        System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .filter(entry -> SHARED.matcher(entry).matches());
        return Stream.concat(
                        Stream.of(
                                MODULE.resolve("test-classes").toString(),
                                MODULE.resolve("xxl-job").resolve(version) + File.separator + "*"),
                        shared)
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Ends held runs. */
    void release() {
        try {
            Files.createFile(directory.resolve(XxlJobExecutor.RELEASE));
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
    }
}
