package io.orth.launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A child process. Its standard input is a pipe that is never written to and closes when this process ends; the child then stops. */
final class Child {

    /** Prefix of the single sentence in which a child states why it cannot start. */
    private static final String OWN_WORDS = "orth: ";

    private static final Duration OUTPUT_LIMIT = Duration.ofSeconds(2);
    private static final Path SETSID = Path.of("/usr/bin/setsid");

    private final String name;
    private final Process process;
    private final ChildOutput output;
    private final Thread outputThread;

    private Child(String name, Process process, ChildOutput output) {
        this.name = name;
        this.process = process;
        this.output = output;
        this.outputThread = output.follow(process.getInputStream());
    }

    static Child start(String name, List<String> command, Map<String, String> environment, ChildOutput output) {
        ProcessBuilder builder = new ProcessBuilder(apartFromTheTerminal(command)).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try {
            return new Child(name, builder.start(), output);
        } catch (IOException e) {
            throw LauncherException.failed("The %s cannot be started: %s.".formatted(name, e.getMessage()));
        }
    }

    /**
     * Ctrl-C signals every process of the terminal's foreground group, but the children must stop in order and only when this
     * process requests it. They therefore get their own session or, if that is not possible, ignore the signal.
     */
    private static List<String> apartFromTheTerminal(List<String> command) {
        List<String> whole = new ArrayList<>(
                Files.isExecutable(SETSID)
                        ? List.of(SETSID.toString())
                        : List.of("sh", "-c", "trap '' INT; exec \"$@\"", "sh"));
        whole.addAll(command);
        return whole;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    CompletableFuture<Process> ended() {
        return process.onExit();
    }

    /** Waits for the end of the child, at most for {@code limit}. */
    void awaitEnd(Duration limit) throws InterruptedException {
        process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Asks the child to stop, and kills it after the grace period. */
    void stop(Duration grace) throws InterruptedException {
        // Not Process.destroy(), which also closes the pipes and loses the child's last output.
        process.toHandle().destroy();
        if (!process.waitFor(grace.toMillis(), TimeUnit.MILLISECONDS)) {
            process.toHandle().destroyForcibly();
            process.waitFor();
        }
        outputThread.join(OUTPUT_LIMIT.toMillis());
    }

    /** Describes the unexpected end of a child: with the child's own sentence, if there is one. */
    LauncherException unexpectedEnd() throws InterruptedException {
        outputThread.join(OUTPUT_LIMIT.toMillis());
        Optional<String> sentence = output.lastLines().stream()
                .filter(line -> line.startsWith(OWN_WORDS))
                .reduce((first, second) -> second);
        if (sentence.isPresent()) {
            return LauncherException.failed(sentence.get().substring(OWN_WORDS.length()));
        }
        StringBuilder message = new StringBuilder();
        output.lastLines().forEach(line -> message.append("[%s] %s%n".formatted(name, line)));
        message.append("The %s ended with code %d; its log is %s.".formatted(name, process.exitValue(), output.file()));
        return LauncherException.failed(message.toString());
    }
}
