package io.orth.executor;

import static io.orth.executor.Triggers.TRIGGERED_AT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Glue;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Scripts from trigger to result, in a whole executor. */
@Timeout(60)
@Tag("must-executor")
class ScriptsTest {

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private OrthExecutor executor;
    private ExecutorClient client;

    @AfterEach
    void stop() {
        executor.stop(Duration.ofSeconds(1));
        admin.close();
    }

    @Test
    void aScriptIsWrittenRunAndReported() throws Exception {
        start(true);

        Reply accepted = client.run(shell(7, 1, 1000, "echo \"hello $1 from job $ORTH_JOB_ID\"", "world"));
        CallbackItem result = admin.awaitCallback(1);

        assertThat(accepted.code()).isEqualTo(200);
        assertThat(result.handleCode()).isEqualTo(200);
        assertThat(files()).containsExactly("7_1000.sh");
        assertThat(log(1)).contains("[orth-script-7] hello world from job 7\n");
    }

    /** The diagram of an executor's files: logs by day, the cache of scripts, undelivered results. */
    @Test
    void allFilesAreBelowTheLogPath() throws Exception {
        start(true);
        admin.awaitRegistration();
        admin.hang();

        client.run(shell(7, 1, 1000, "echo hello", ""));
        await().until(() -> Files.exists(directory.resolve("callbacklog"))
                && paths().stream().anyMatch(path -> path.endsWith(".log") && path.startsWith("callbacklog/")));

        assertThat(paths())
                .hasSize(4)
                .contains("2030-01-01/1.log", "gluesource/7_1000.sh", "callbacklog/.lock")
                .anyMatch(path -> path.matches("callbacklog/orth-callback-[0-9a-f]{32}\\.log"));
        admin.resume();
    }

    private List<String> paths() throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> directory.relativize(path).toString())
                    .toList();
        }
    }

    @Test
    void aFailingScriptReportsItsExitValue() throws Exception {
        start(true);

        client.run(shell(7, 1, 1000, "exit 42", ""));

        assertThat(admin.awaitCallback(1))
                .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                .containsExactly(500, "exit value 42");
    }

    @Test
    void aNewVersionReplacesTheOldOne() throws Exception {
        start(true);
        client.run(shell(7, 1, 1000, "echo one", ""));
        admin.awaitCallback(1);

        client.run(shell(7, 2, 2000, "echo two", ""));
        admin.awaitCallback(2);

        assertThat(log(1)).contains("one");
        assertThat(log(2)).contains("two");
        assertThat(files()).containsExactly("7_2000.sh");
    }

    @Test
    void carriageReturnsDoNotConfuseTheShell() throws Exception {
        start(true);

        client.run(shell(7, 1, 1000, "if true; then\r\n  echo fine\r\nfi\r\nexit 0\r", ""));

        assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(200);
        assertThat(log(1)).contains("fine\n");
    }

    @Test
    void rejectsScriptsUnlessAllowed() throws Exception {
        start(false);

        Reply reply = client.run(shell(7, 1, 1000, "touch " + directory.resolve("owned"), ""));

        assertThat(reply.code()).isEqualTo(500);
        assertThat(reply.msg()).startsWith("glueType[GLUE_SHELL] is not allowed on this executor");
        assertThat(directory.resolve("gluesource")).doesNotExist();
        assertThat(directory.resolve("owned")).doesNotExist();
    }

    @Test
    void aScriptDoesNotSeeTheExecutorsToken() throws Exception {
        start(true);

        client.run(shell(7, 1, 1000, "env; echo end", ""));
        admin.awaitCallback(1);

        assertThat(log(1)).contains("ORTH_JOB_ID=7").contains("end").doesNotContain(FakeAdmin.TOKEN);
    }

    @Test
    void stoppingTheExecutorEndsItsScripts() throws Exception {
        start(true);
        Path pid = directory.resolve("pid");
        client.run(shell(7, 1, 1000, "trap '' TERM; echo $$ > " + pid + "; exec tail -f /dev/null", ""));
        await().until(() -> Files.exists(pid) && !Files.readString(pid).isBlank());
        ProcessHandle script =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();

        executor.stop(Duration.ZERO);

        await().until(() -> !script.isAlive());
        assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(500);
    }

    private void start(boolean scripts) {
        executor = OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin.address())
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory)
                                .scriptsEnabled(scripts)
                                .build(),
                        HandlerRegistry.builder().build())
                .start();
        client = new ExecutorClient(executor.address());
    }

    private static TriggerRequest shell(int jobId, long logId, long version, String source, String params) {
        return TriggerRequest.of(jobId, null, logId, TRIGGERED_AT)
                .glue(new Glue("GLUE_SHELL", source, version))
                .params(params)
                .build();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> entries = Files.list(directory.resolve("gluesource"))) {
            return entries.map(entry -> entry.getFileName().toString()).toList();
        }
    }

    private String log(long logId) throws IOException {
        return Files.readString(directory.resolve("2030-01-01").resolve(logId + ".log"));
    }
}
