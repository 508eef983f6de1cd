package io.orth.bench.installation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A process under measurement, on the Java that measures. */
public final class BenchProgram implements AutoCloseable {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final String name;
    private final Process process;

    private BenchProgram(String name, Process process) {
        this.name = name;
        this.process = process;
    }

    /** A class of the benchmark, with the benchmark's class path. */
    public static BenchProgram ofClass(Class<?> main, Path log, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command =
                new ArrayList<>(List.of("-Xmx1g", "-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        return start(main.getSimpleName(), log, environment, command);
    }

    public static BenchProgram ofJar(
            Path jar, List<String> jvmOptions, Path log, Map<String, String> environment, String... arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of("-Xmx1g"));
        command.addAll(jvmOptions);
        command.addAll(List.of("-jar", jar.toString()));
        command.addAll(List.of(arguments));
        return start(jar.getFileName().toString(), log, environment, command);
    }

    private static BenchProgram start(String name, Path log, Map<String, String> environment, List<String> arguments)
            throws IOException {
        List<String> command = new ArrayList<>(List.of(JAVA));
        command.addAll(arguments);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new BenchProgram(name, builder.start());
    }

    public void checkAlive() {
        if (!process.isAlive()) {
            throw new IllegalStateException("%s ended with %d".formatted(name, process.exitValue()));
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(60, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            process.destroyForcibly();
        }
    }
}
