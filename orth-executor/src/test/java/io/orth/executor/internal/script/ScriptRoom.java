package io.orth.executor.internal.script;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.ScriptOptions;
import io.orth.executor.internal.log.RunLog;
import io.orth.executor.internal.log.RunLogFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** Runs scripts in a directory as real processes; finds what they print, and processes by the numbers they write down. */
final class ScriptRoom {

    static final ScriptRunner.Timing QUICK = new ScriptRunner.Timing(
            Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofSeconds(1), Duration.ofSeconds(3));
    static final long MEGABYTE = 1_048_576;

    private static final Instant TRIGGERED = Instant.parse("2030-01-01T12:00:00Z");
    private static final long LOG_ID = 1001;

    private final Path directory;

    ScriptRoom(Path directory) {
        this.directory = directory;
    }

    /** Leaves nothing behind. */
    void endAll() throws IOException {
        for (ProcessHandle process : processes()) {
            process.destroyForcibly();
        }
    }

    RunResult shell(String source) throws Exception {
        return run(ScriptLanguage.SHELL, source, "");
    }

    RunResult run(ScriptLanguage language, String source, String param) throws Exception {
        return run(options(), QUICK, language, source, param);
    }

    RunResult run(
            ScriptOptions options, ScriptRunner.Timing timing, ScriptLanguage language, String source, String param)
            throws Exception {
        return run(runner(options, timing), language, source, param);
    }

    RunResult run(ScriptRunner runner, ScriptLanguage language, String source, String param) throws Exception {
        Path file = directory.resolve("script." + language.extension());
        String inDirectory = switch (language) {
            case SHELL -> "cd '" + directory + "'\n";
            case PYTHON -> "import os; os.chdir('" + directory + "')\n";
            default -> "";
        };
        Files.writeString(file, inDirectory + source);
        OrthJobContext context = new OrthJobContext(7, param, LOG_ID, null, TRIGGERED, 2, 5, null);
        try (RunLog log = logs().open(LOG_ID, TRIGGERED.toEpochMilli())) {
            return runner.run(language, file, context, log);
        }
    }

    RunningScript start(ScriptOptions options, ScriptRunner.Timing timing, ScriptLanguage language, String source) {
        return start(runner(options, timing), language, source);
    }

    RunningScript start(ScriptRunner runner, ScriptLanguage language, String source) {
        return new RunningScript(new FutureTask<>(() -> run(runner, language, source, "")));
    }

    static ScriptRunner runner(ScriptOptions options, ScriptRunner.Timing timing) {
        return new ScriptRunner(new ScriptCommand(options, new ScriptEnvironment("s3cret", ZoneOffset.UTC)), timing);
    }

    static ScriptOptions options() {
        return new ScriptOptions(true, false, Map.of());
    }

    static ScriptOptions options(ScriptLanguage language, String interpreter) {
        return new ScriptOptions(true, false, Map.of(language, interpreter));
    }

    private RunLogFiles logs() {
        return new RunLogFiles(directory, Clock.fixed(TRIGGERED, ZoneOffset.UTC), 16 * MEGABYTE);
    }

    Path logFile() {
        return logs().pathOf(LOG_ID, TRIGGERED.toEpochMilli());
    }

    /** The lines of the log without time and thread. */
    List<String> output() throws IOException {
        if (!Files.exists(logFile())) {
            return List.of();
        }
        return Files.readAllLines(logFile()).stream()
                .map(line -> line.replaceFirst("^[^\\[]*\\[[^]]*] ", ""))
                .toList();
    }

    /** Those that wrote down their number in the file {@code pid.something}. */
    List<ProcessHandle> processes() throws IOException {
        return pidFiles().stream()
                .map(ScriptRoom::content)
                .filter(pid -> !pid.isEmpty())
                .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
                .toList();
    }

    List<Path> pidFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("pid."))
                    .toList();
        }
    }

    private static String content(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static boolean lives(ProcessHandle process) {
        return new TaggedProcesses("none", "").isAlive(process);
    }

    /** A run on a thread of its own, as a lane has it. */
    static final class RunningScript {

        private final FutureTask<RunResult> task;
        private final Thread thread;

        RunningScript(FutureTask<RunResult> task) {
            this.task = task;
            this.thread = new Thread(task, "lane");
            thread.start();
        }

        void interrupt() {
            thread.interrupt();
        }

        RunResult result() throws InterruptedException, ExecutionException, TimeoutException {
            return task.get(20, TimeUnit.SECONDS);
        }
    }
}
