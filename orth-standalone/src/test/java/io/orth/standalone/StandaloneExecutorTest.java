package io.orth.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Glue;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The program as a process of its own. */
@Timeout(150)
class StandaloneExecutorTest {

    private static final long TRIGGERED_AT = 1_893_499_200_000L; // 2030-01-01T12:00:00Z

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private Process process;

    @AfterEach
    void stop() {
        if (process != null) {
            process.destroyForcibly();
        }
        admin.close();
    }

    @Test
    void runsTheSamplesAndStopsOnSigterm() throws Exception {
        start("--admin", admin.address(), "--group", "g", "--samples", "--data", directory.toString());
        String address = admin.awaitRegistration().address();

        assertThat(trigger(address, "sample.countdown", 1, "2").code()).isEqualTo(200);
        assertThat(trigger(address, "sample.failing", 2, "").code()).isEqualTo(200);
        assertThat(trigger(address, "sample.heartbeat", 3, "").code()).isEqualTo(200);
        assertThat(trigger(address, "sample.countdown", 4, "many").code()).isEqualTo(200);
        assertThat(admin.awaitCallback(1))
                .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                .containsExactly(200, "counted down from 2");
        assertThat(admin.awaitCallback(2).handleMsg())
                .contains("the order list could not be imported")
                .contains("'twelve' is not a quantity");
        assertThat(admin.awaitCallback(3).handleCode()).isEqualTo(200);
        assertThat(admin.awaitCallback(4).handleMsg()).contains("got 'many'");
        long sent = admin.queues().push("sample-emails", "hello").id();
        long failed = admin.queues().push("sample-emails", "please fail").id();
        assertThat(admin.queues().awaitResult(sent))
                .extracting(MessageResult::code, MessageResult::text)
                .containsExactly(200, "sent");
        assertThat(admin.queues().awaitResult(failed).text()).contains("the mail server said no");
        trigger(address, "sample.countdown", 5, "10000");

        process.destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(admin.awaitCallback(5).handleMsg()).contains("InterruptedException");
        assertThat(admin.removals()).hasSize(1);
        assertThat(directory.resolve("2030-01-01/1.log"))
                .content()
                .contains("2 to go")
                .contains("lift-off");
    }

    @Test
    @Tag("must-pipelines")
    void printsRunAndTraceWithTaskLines() throws Exception {
        start("--admin", admin.address(), "--group", "g", "--samples", "--data", directory.toString());
        admin.tasks().send("hydrateAll", "topics", "{\"title\":\"Sets\"}");

        assertThat(admin.tasks().awaitResult(1).task().error()).isNull();

        List<String> lines = Files.readAllLines(directory.resolve("out"));
        assertThat(lines)
                .filteredOn(line -> line.contains("wrote topics/t-1/en"))
                .singleElement()
                .asString()
                .contains(" rootJobId=\"1000\" taskId=\"1\" traceId=\"4bf92f3577b34da6a3ce929d0e0e4736\" [");
        assertThat(lines)
                .as("what is about no task")
                .anyMatch(line -> !line.contains("rootJobId") && !line.contains("taskId"))
                .noneMatch(line -> line.contains("=\"\""));
    }

    @Test
    @Tag("must-executor")
    void runsScriptsAndGroovyByDefault() throws Exception {
        start("--admin", admin.address(), "--data", directory.toString());
        String address = admin.awaitRegistration().address();

        source(address, 1, new Glue("GLUE_SHELL", "echo \"hello $1\"; env", 1000), "shell");
        source(address, 2, new Glue("GLUE_GROOVY", "RunResult.success('hello ' + context.param())", 1000), "groovy");

        assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(200);
        assertThat(admin.awaitCallback(2))
                .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                .containsExactly(200, "hello groovy");
        assertThat(directory.resolve("2030-01-01/1.log"))
                .content()
                .contains("hello shell")
                .doesNotContain(FakeAdmin.TOKEN);
    }

    @Test
    @Tag("must-executor")
    void rejectsScriptsAndGroovyWhenDisabled() throws Exception {
        start("--admin", admin.address(), "--data", directory.toString(), "--no-scripts", "--no-glue");
        String address = admin.awaitRegistration().address();

        assertThat(source(address, 1, new Glue("GLUE_SHELL", "echo", 1), "").msg())
                .startsWith("glueType[GLUE_SHELL] is not allowed on this executor");
        assertThat(source(address, 2, new Glue("GLUE_GROOVY", "1", 1), "").msg())
                .startsWith("glueType[GLUE_GROOVY] is not allowed on this executor");
    }

    @Test
    void stoppingItEndsItsScripts() throws Exception {
        start("--admin", admin.address(), "--data", directory.toString(), "--grace", "0");
        String address = admin.awaitRegistration().address();
        Path pid = directory.resolve("pid");
        String source = "trap '' TERM; echo $$ > %s; exec tail -f /dev/null".formatted(pid);
        source(address, 1, new Glue("GLUE_SHELL", source, 1), "");
        await().until(() -> Files.exists(pid) && Files.readString(pid).endsWith("\n"));
        ProcessHandle script =
                ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).orElseThrow();

        process.destroy();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        script.onExit().get(60, TimeUnit.SECONDS);
        assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(500);
    }

    @Test
    void stopsWhenStandardInputCloses() throws Exception {
        start("--admin", admin.address(), "--data", directory.toString(), "--lifeline", "stdin");
        admin.awaitRegistration();

        process.getOutputStream().close();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isZero();
        assertThat(admin.removals()).hasSize(1);
    }

    @Test
    void exitsWithTwoOnInvalidOptions() throws Exception {
        start("--nonsense");

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(2);
        assertThat(Files.readString(directory.resolve("err")))
                .isEqualTo("'--nonsense' is not an option; --help lists them\n");
    }

    private void start(String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                StandaloneExecutor.class.getName()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("out").toFile())
                .redirectError(directory.resolve("err").toFile());
        builder.environment().put(StandaloneOptions.TOKEN_VARIABLE, FakeAdmin.TOKEN);
        process = builder.start();
    }

    private static Reply trigger(String address, String handler, long logId, String params) throws Exception {
        return send(
                address,
                TriggerRequest.of((int) logId, handler, logId, TRIGGERED_AT)
                        .params(params)
                        .build());
    }

    private static Reply source(String address, long logId, Glue glue, String params) throws Exception {
        return send(
                address,
                TriggerRequest.of((int) logId, null, logId, TRIGGERED_AT)
                        .params(params)
                        .glue(glue)
                        .build());
    }

    private static Reply send(String address, TriggerRequest trigger) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(address + ExecutorPaths.RUN.substring(1)))
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(trigger)))
                .build();
        return Reply.from(Json.readObject(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofByteArray())
                .body()));
    }
}
