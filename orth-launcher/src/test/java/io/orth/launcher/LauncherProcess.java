package io.orth.launcher;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;

/** The launcher as a process of its own, with fake programs to start. */
final class LauncherProcess implements AutoCloseable {

    private static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    /** The bit of the signal in a mask. */
    private static final long SIGINT = 1 << 1;

    private final Process process;
    private final BufferedReader output;
    private final List<String> lines = new ArrayList<>();

    private LauncherProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static LauncherProcess start(Path jars, Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(listeningToCtrlC());
        command.addAll(List.of(JAVA, "-XX:TieredStopAtLevel=1", "-cp", classPath()));
        command.addAll(List.of(Launcher.class.getName(), "--java", JAVA));
        command.addAll(List.of("--admin-jar", jar(jars, FakeAdminProgram.class)));
        command.addAll(List.of("--executor-jar", jar(jars, FakeExecutorProgram.class)));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        return new LauncherProcess(builder.start());
    }

    /**
     * The prefix of a command that lets SIGINT reach it. Background jobs of a shell without job control ignore that signal, and
     * the processes they start inherit this, tests included.
     */
    private static List<String> listeningToCtrlC() throws IOException {
        Path status = Path.of("/proc/self/status");
        if (!Files.exists(status)) {
            return List.of();
        }
        boolean ignored = Files.readAllLines(status).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(
                                        line.substring("SigIgn:".length()).strip(), 16)
                                & SIGINT)
                        != 0);
        return ignored ? List.of("env", "--default-signal=INT") : List.of();
    }

    static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        }
    }

    private static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** A jar without classes that refers to those of this test, with a pipeline in it. */
    private static String jar(Path directory, Class<?> program) throws IOException {
        Path jar = directory.resolve(program.getSimpleName() + ".jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, program.getName());
        String entries = Arrays.stream(classPath().split(File.pathSeparator, -1))
                .map(entry -> new File(entry).toURI().toString())
                .collect(Collectors.joining(" "));
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, entries);
        try (OutputStream file = Files.newOutputStream(jar)) {
            try (JarOutputStream jarFile = new JarOutputStream(file, manifest)) {
                jarFile.putNextEntry(new ZipEntry("hydrateAll.yaml"));
                jarFile.write("stages: []".getBytes(StandardCharsets.UTF_8));
            }
        }
        return jar.toString();
    }

    /** Reads up to a line that starts like this, or to the end. */
    List<String> linesUntil(String prefix) throws IOException {
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            lines.add(line);
            if (line.startsWith(prefix)) {
                break;
            }
        }
        return lines;
    }

    List<String> linesUntilEnd() throws IOException {
        return linesUntil("\0");
    }

    int exitCode() throws InterruptedException {
        return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
    }

    /** As a terminal's Ctrl-C or a service manager does it. */
    void signal(String name) throws IOException, InterruptedException {
        new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        process.toHandle().destroy();
        process.onExit()
                .completeOnTimeout(process, 30, TimeUnit.SECONDS)
                .thenAccept(Process::destroyForcibly)
                .join();
    }
}
