package io.orth.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** An {@link Owner} in a Java process of its own. */
final class OwnerProcess implements AutoCloseable {

    private final Process process;
    private final BufferedReader output;

    private OwnerProcess(Process process) {
        this.process = process;
        this.output = process.inputReader(StandardCharsets.UTF_8);
    }

    static OwnerProcess start(List<String> prefix, String classPath, Path... arguments) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1"));
        command.addAll(List.of("-cp", classPath, Owner.class.getName()));
        for (Path argument : arguments) {
            command.add(argument.toString());
        }
        return new OwnerProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    static String classPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }

    /** Its first output: that it started, or why not. */
    String answer() throws IOException {
        String line = output.readLine();
        while (line != null && !line.startsWith("started ") && !line.startsWith("refused ")) {
            line = output.readLine();
        }
        return line;
    }

    /** As {@code kill -9} does it. */
    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    /** Kills it together with the watcher that would have stopped the server. */
    void killWithWatcher() throws InterruptedException {
        for (ProcessHandle child : process.children().toList()) {
            if (child.info().command().orElse("").endsWith("sh")) {
                child.destroyForcibly();
            }
        }
        kill();
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
