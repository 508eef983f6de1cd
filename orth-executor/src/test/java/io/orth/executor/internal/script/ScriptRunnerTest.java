package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Real interpreters, real processes. */
@Timeout(60)
class ScriptRunnerTest {

    private static final Instant TRIGGERED = Instant.parse("2030-01-01T12:00:00Z");
    private static final long LOG_ID = 1001;
    private static final ScriptRunner.Timing QUICK = new ScriptRunner.Timing(
            Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofMillis(300), Duration.ofSeconds(1));
    private static final long MEGABYTE = 1_048_576;

    @TempDir
    Path directory;

    @AfterEach
    void leaveNothingBehind() throws IOException {
        for (ProcessHandle process : processes()) {
            process.destroyForcibly();
        }
    }

    @Test
    @Tag("must-executor")
    void exitZeroIsSuccess() throws Exception {
        assertThat(shell("echo hello; echo oops >&2; exit 0")).isEqualTo(RunResult.success());
        assertThat(output()).containsExactly("hello", "oops");
    }

    @Test
    @Tag("must-executor")
    void anyOtherExitValueIsAFailureThatNamesIt() throws Exception {
        assertThat(shell("echo bad; exit 3")).isEqualTo(RunResult.fail("exit value 3"));
        assertThat(output()).containsExactly("bad", "exit value 3");
    }

    @Test
    @Tag("must-executor")
    void pythonAndNodeRunForReal() throws Exception {
        RunResult python =
                run(ScriptLanguage.PYTHON, "import os, sys\nprint(sys.argv[1:], os.environ['ORTH_JOB_PARAM'])", "ü x");
        RunResult node = run(
                ScriptLanguage.NODE, "console.log(process.argv.slice(2).join('|'), process.env.ORTH_JOB_ID)", "ü x");

        assertThat(python).isEqualTo(RunResult.success());
        assertThat(node).isEqualTo(RunResult.success());
        assertThat(output()).containsExactly("['ü x', '2', '5'] ü x", "ü x|2|5 7");
    }

    /** PHP and PowerShell may not be there, so a program that writes down how it was called stands in for them. */
    @Test
    @Tag("must-executor")
    void everyLanguageIsCalledTheSameWay() throws Exception {
        for (ScriptLanguage language : ScriptLanguage.values()) {
            run(options(language, recorder()), QUICK, language, "source", "-c x");
        }

        String file = directory.resolve("script.").toString();
        assertThat(output())
                .containsExactly(
                        "called with [" + file + "sh] [-c x] [2] [5]",
                        "called with [" + file + "py] [-c x] [2] [5]",
                        "called with [" + file + "py] [-c x] [2] [5]",
                        "called with [" + file + "js] [-c x] [2] [5]",
                        "called with [" + file + "php] [-c x] [2] [5]",
                        "called with [-NoProfile] [-NonInteractive] [-File] [" + file + "ps1] [-c x] [2] [5]");
    }

    @ParameterizedTest
    @Tag("must-executor")
    @ValueSource(
            strings = {
                "$(touch owned)",
                "`touch owned`",
                "; touch owned",
                "a\ntouch owned",
                "-c",
                "--",
                "'\"\\",
                "*",
                "%PATH%",
                ""
            })
    void aParameterIsNothingButText(String param) throws Exception {
        RunResult result =
                run(ScriptLanguage.SHELL, "printf '%s' \"$1\" > arg; printf '%s' \"$ORTH_JOB_PARAM\" > var", param);

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(directory.resolve("arg")).hasContent(param);
        assertThat(directory.resolve("var")).hasContent(param);
        assertThat(directory.resolve("owned")).doesNotExist();
    }

    @Test
    @Tag("must-executor")
    void anInterpreterThatDoesNotExistIsNamedTogetherWithItsSetting() throws Exception {
        RunResult result = run(options(ScriptLanguage.PHP, "/no/such/php"), QUICK, ScriptLanguage.PHP, "x", "");

        assertThat(result)
                .isEqualTo(RunResult.fail("the interpreter '/no/such/php' was not found on this executor;"
                        + " orth.executor.scripts.php names another one"));
        assertThat(output()).singleElement().asString().contains("/no/such/php");
    }

    @Test
    void anInterpreterThatIsNoProgramIsNamed() throws Exception {
        Path text = Files.writeString(directory.resolve("readme"), "not a program");

        RunResult result = run(options(ScriptLanguage.PHP, text.toString()), QUICK, ScriptLanguage.PHP, "x", "");

        assertThat(result.text()).startsWith("the interpreter '" + text + "' cannot be executed by this executor");
    }

    @Test
    void aParameterThatIsTooLongForAProgramIsAClearFailure() throws Exception {
        RunResult result = run(ScriptLanguage.SHELL, "echo never", "x".repeat(3_000_000));

        assertThat(result)
                .isEqualTo(RunResult.fail("the parameter is too long to be passed to a program: 3,000,000 characters"));
    }

    @Test
    void aParameterThatCannotBeEncodedIsAClearFailure() throws Exception {
        RunResult result = run(ScriptLanguage.SHELL, "echo never", "half a pair: \uD83C");

        assertThat(result.text()).startsWith("the parameter has characters that cannot be passed to a program");
    }

    @Test
    @Tag("must-executor")
    void outputIsInTheLogWhileTheScriptStillRuns() throws Exception {
        RunningScript running = start(options(), QUICK, ScriptLanguage.PYTHON, """
                print('first')
                import os
                os.mkfifo('gate'); open('gate').read()
                print('second')
                """);

        await().until(() -> output().equals(List.of("first")));
        await().until(() -> Files.exists(directory.resolve("gate")));
        Files.writeString(directory.resolve("gate"), "go");

        assertThat(running.result()).isEqualTo(RunResult.success());
        assertThat(output()).containsExactly("first", "second");
    }

    @Test
    void aScriptThatReadsItsInputFindsTheEnd() throws Exception {
        assertThat(shell("cat; echo done")).isEqualTo(RunResult.success());
        assertThat(output()).containsExactly("done");
    }

    @Test
    @Tag("must-executor")
    void nulAndBrokenUtf8DoNoHarm() throws Exception {
        assertThat(shell("printf 'a\\000b\\377c\\n'; printf 'no newline \\303'"))
                .isEqualTo(RunResult.success());
        assertThat(output()).containsExactly("a\uFFFDb\uFFFDc", "no newline \uFFFD");
    }

    /** 1 GB with -Dorth.full=true. */
    @Test
    @Tag("must-executor")
    void muchOutputWithoutANewlineNeedsLittleMemory() throws Exception {
        long size = Boolean.getBoolean("orth.full") ? 1024 * MEGABYTE : 64 * MEGABYTE;
        long before = usedMemory();

        RunResult result = shell("head -c " + size + " /dev/zero | tr '\\0' x; echo; echo end");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(usedMemory() - before).isLessThan(32 * MEGABYTE);
        assertThat(Files.size(logFile())).isLessThan(20 * MEGABYTE);
    }

    @Test
    @Tag("must-executor")
    void killEndsTheWholeTreeWithinSevenSeconds() throws Exception {
        RunningScript running = start(options(), ScriptRunner.Timing.DEFAULT, ScriptLanguage.SHELL, """
                echo $$ > pid.root
                ( trap '' TERM; echo $BASHPID > pid.stubborn; exec tail -f /dev/null ) &
                setsid tail -f /dev/null < /dev/null > /dev/null 2>&1 & echo $! > pid.session
                ( ( nohup tail -f /dev/null > /dev/null 2>&1 & echo $! > pid.orphan ) & )
                bash -c 'echo $$ > pid.nested; tail -f /dev/null & wait' &
                trap 'trap "" TERM; setsid bash -c "echo \\$\\$ > pid.newborn; tail -f /dev/null & wait" & wait' TERM
                wait
                """);
        await().until(() -> processes().size() == 5);
        List<ProcessHandle> before = processes();
        assertThat(before).allMatch(ProcessHandle::isAlive);

        long begun = System.nanoTime();
        running.interrupt();

        assertThatThrownBy(running::result).hasCauseInstanceOf(InterruptedException.class);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(7));
        assertThat(directory.resolve("pid.newborn"))
                .as("born while the others were ended")
                .exists();
        assertThat(before).noneMatch(ScriptRunnerTest::lives);
        assertThat(processes()).noneMatch(ScriptRunnerTest::lives);
        assertThat(output()).contains("interrupted: ending the script and every process it has started");
    }

    @Test
    void aScriptMayCleanUpWhenItIsKilled() throws Exception {
        RunningScript running = start(options(), ScriptRunner.Timing.DEFAULT, ScriptLanguage.SHELL, """
                trap 'echo cleaning up; exit 0' TERM
                echo $$ > pid.root
                tail -f /dev/null & wait
                """);
        await().until(() -> processes().size() == 1);

        running.interrupt();

        assertThatThrownBy(running::result).hasCauseInstanceOf(InterruptedException.class);
        assertThat(output()).endsWith("cleaning up");
    }

    @Test
    void beingInterruptedAgainDoesNotLeaveProcessesBehind() throws Exception {
        RunningScript running = start(options(), QUICK, ScriptLanguage.SHELL, """
                trap 'touch terminated' TERM
                ( trap '' TERM; exec tail -f /dev/null ) &
                echo $$ > pid.root
                while :; do wait; done
                """);
        await().until(() -> processes().size() == 1);

        running.interrupt();
        await().until(() -> Files.exists(directory.resolve("terminated")));
        running.interrupt();

        assertThatThrownBy(running::result).hasCauseInstanceOf(InterruptedException.class);
        assertThat(processes()).noneMatch(ScriptRunnerTest::lives);
    }

    @Test
    void nothingIsStartedOnceInterrupted() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> shell("touch started")).isInstanceOf(InterruptedException.class);
        assertThat(directory.resolve("started")).doesNotExist();
    }

    @Test
    @Tag("must-executor")
    void aBackgroundProcessThatHoldsTheOutputBlocksNothingAndLivesOn() throws Exception {
        RunResult result = shell("bash -c 'trap \"\" PIPE; echo $$ > pid.daemon; tail -f /dev/null & wait' & "
                + "until [ -s pid.daemon ]; do :; done; echo started");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(processes()).hasSize(1).allMatch(ScriptRunnerTest::lives);
        assertThat(output())
                .containsExactly(
                        "started",
                        "a background process still holds the script's output; what it writes from now on is dropped");
    }

    @Test
    @Tag("must-executor")
    void aBackgroundProcessThatWritesWithoutEndBlocksNothingAndLivesOn() throws Exception {
        RunResult result = shell("yes & echo $! > pid.daemon; exit 0");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(processes()).hasSize(1).allMatch(ScriptRunnerTest::lives);
    }

    @Test
    void whatStillRunsWhenTheExecutorStopsIsEnded() throws Exception {
        ScriptRunner runner = runner(options(), ScriptRunner.Timing.DEFAULT);
        RunningScript running = start(runner, ScriptLanguage.SHELL, """
                trap '' TERM
                echo $$ > pid.root
                exec tail -f /dev/null
                """);
        await().until(() -> processes().size() == 1);

        runner.endAll();

        assertThat(running.result()).isEqualTo(RunResult.fail("exit value 137"));
        assertThat(processes()).noneMatch(ScriptRunnerTest::lives);
    }

    /** A run on a thread of its own, as a lane has it. */
    private static final class RunningScript {

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

    private RunResult shell(String source) throws Exception {
        return run(ScriptLanguage.SHELL, source, "");
    }

    private RunResult run(ScriptLanguage language, String source, String param) throws Exception {
        return run(options(), QUICK, language, source, param);
    }

    private RunResult run(
            ScriptOptions options, ScriptRunner.Timing timing, ScriptLanguage language, String source, String param)
            throws Exception {
        return run(runner(options, timing), language, source, param);
    }

    private RunResult run(ScriptRunner runner, ScriptLanguage language, String source, String param) throws Exception {
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

    private RunningScript start(
            ScriptOptions options, ScriptRunner.Timing timing, ScriptLanguage language, String source) {
        return start(runner(options, timing), language, source);
    }

    private RunningScript start(ScriptRunner runner, ScriptLanguage language, String source) {
        return new RunningScript(new FutureTask<>(() -> run(runner, language, source, "")));
    }

    private static ScriptRunner runner(ScriptOptions options, ScriptRunner.Timing timing) {
        return new ScriptRunner(new ScriptCommand(options, new ScriptEnvironment("s3cret", ZoneOffset.UTC)), timing);
    }

    private static ScriptOptions options() {
        return new ScriptOptions(true, false, Map.of());
    }

    private static ScriptOptions options(ScriptLanguage language, String interpreter) {
        return new ScriptOptions(true, false, Map.of(language, interpreter));
    }

    private String recorder() throws IOException {
        Path program = directory.resolve("recorder");
        Files.writeString(program, "#!/bin/sh\nprintf 'called with'; printf ' [%s]' \"$@\"; echo\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        return program.toString();
    }

    private RunLogFiles logs() {
        return new RunLogFiles(directory, Clock.fixed(TRIGGERED, ZoneOffset.UTC), 16 * MEGABYTE);
    }

    private Path logFile() {
        return logs().pathOf(LOG_ID, TRIGGERED.toEpochMilli());
    }

    /** The lines of the log without time and thread. */
    private List<String> output() throws IOException {
        if (!Files.exists(logFile())) {
            return List.of();
        }
        return Files.readAllLines(logFile()).stream()
                .map(line -> line.replaceFirst("^[^\\[]*\\[[^]]*] ", ""))
                .toList();
    }

    /** Those that wrote down their number in the file {@code pid.something}. */
    private List<ProcessHandle> processes() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.getFileName().toString().startsWith("pid."))
                    .map(ScriptRunnerTest::content)
                    .filter(pid -> !pid.isEmpty())
                    .flatMap(pid -> ProcessHandle.of(Long.parseLong(pid)).stream())
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

    private static boolean lives(ProcessHandle process) {
        return new TaggedProcesses("none", "").isAlive(process);
    }

    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
