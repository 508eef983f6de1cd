package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.executor.RunResult;
import io.orth.executor.ScriptLanguage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Output of real script processes: how it reaches the log, and that no process can block it. */
@Timeout(60)
class ScriptOutputTest {

    @TempDir
    Path directory;

    private ScriptRoom scripts;

    @BeforeEach
    void open() {
        scripts = new ScriptRoom(directory);
    }

    @AfterEach
    void leaveNothingBehind() throws IOException {
        scripts.endAll();
    }

    @Test
    @Tag("must-executor")
    void outputIsInTheLogWhileTheScriptStillRuns() throws Exception {
        ScriptRoom.RunningScript running =
                scripts.start(ScriptRoom.options(), ScriptRoom.QUICK, ScriptLanguage.PYTHON, """
                print('first')
                import os
                os.mkfifo('gate'); open('gate').read()
                print('second')
                """);

        await().until(() -> scripts.output().equals(List.of("first")));
        await().until(() -> Files.exists(directory.resolve("gate")));
        Files.writeString(directory.resolve("gate"), "go");

        assertThat(running.result()).isEqualTo(RunResult.success());
        assertThat(scripts.output()).containsExactly("first", "second");
    }

    @Test
    void aScriptThatReadsItsInputFindsTheEnd() throws Exception {
        assertThat(scripts.shell("cat; echo done")).isEqualTo(RunResult.success());
        assertThat(scripts.output()).containsExactly("done");
    }

    @Test
    @Tag("must-executor")
    void nulAndBrokenUtf8DoNoHarm() throws Exception {
        assertThat(scripts.shell("printf 'a\\000b\\377c\\n'; printf 'no newline \\303'"))
                .isEqualTo(RunResult.success());
        assertThat(scripts.output()).containsExactly("a\uFFFDb\uFFFDc", "no newline \uFFFD");
    }

    /** 1 GB with -Dorth.full=true. */
    @Test
    @Tag("must-executor")
    void muchOutputWithoutANewlineNeedsLittleMemory() throws Exception {
        long size = Boolean.getBoolean("orth.full") ? 1024 * ScriptRoom.MEGABYTE : 64 * ScriptRoom.MEGABYTE;
        long before = usedMemory();

        RunResult result = scripts.shell("head -c " + size + " /dev/zero | tr '\\0' x; echo; echo end");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(usedMemory() - before).isLessThan(32 * ScriptRoom.MEGABYTE);
        assertThat(Files.size(scripts.logFile())).isLessThan(20 * ScriptRoom.MEGABYTE);
    }

    @Test
    @Tag("must-executor")
    void aBackgroundProcessThatHoldsTheOutputBlocksNothingAndLivesOn() throws Exception {
        RunResult result = scripts.shell("bash -c 'trap \"\" PIPE; echo $$ > pid.daemon; tail -f /dev/null & wait' & "
                + "until [ -s pid.daemon ]; do :; done; echo started");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(scripts.processes()).hasSize(1).allMatch(ScriptRoom::lives);
        assertThat(scripts.output())
                .containsExactly(
                        "started",
                        "a background process still holds the script's output; what it writes from now on is dropped");
    }

    @Test
    @Tag("must-executor")
    void endlessBackgroundProcessBlocksNothingAndSurvives() throws Exception {
        RunResult result = scripts.shell("yes & echo $! > pid.daemon; exit 0");

        assertThat(result).isEqualTo(RunResult.success());
        assertThat(scripts.processes()).hasSize(1).allMatch(ScriptRoom::lives);
    }

    private static long usedMemory() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
