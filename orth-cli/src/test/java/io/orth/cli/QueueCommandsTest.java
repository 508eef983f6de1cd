package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Queues from the terminal: how they do, and messages as text, from a file, from standard input. */
@Tag("must-queues")
class QueueCommandsTest {

    @TempDir
    Path directory;

    private ScriptedAdmin admin;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
        admin.then(201, "{\"id\":\"17\",\"duplicate\":false}");
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    @Test
    void pushesTextWithAllOptions() {
        CliRun run = CliRun.at(
                admin.url(), "queues", "push", "emails", "hello", "--delay", "PT5M", "--lane", "high", "--key", "u");

        assertThat(run).isEqualTo(new CliRun(0, "Message 17 was added." + System.lineSeparator(), ""));
        assertThat(admin.calls.get(0).path()).isEqualTo("/api/queues/emails/messages");
        assertThat(admin.calls.get(0).key()).hasSize(36);
        assertThat(admin.calls.get(0).body())
                .isEqualTo("{\"payload\":\"hello\",\"lane\":\"HIGH\",\"delay\":\"PT5M\",\"uniqueKey\":\"u\"}");
    }

    @Test
    void readsAFileAndStandardInput() throws IOException {
        Path file = Files.writeString(directory.resolve("letter.json"), "{\"to\":\"ännchen\"}");

        CliRun.at(admin.url(), "queues", "push", "emails", "@" + file);
        CliRun.in(Map.of("ORTH_TOKEN", "t"), "from a pipe\n", "--url", admin.url(), "queues", "push", "emails", "-");
        CliRun.at(admin.url(), "queues", "push", "emails", "--", "-5");

        assertThat(admin.calls)
                .extracting(ScriptedAdmin.Call::body)
                .containsExactly(
                        "{\"payload\":\"{\\\"to\\\":\\\"ännchen\\\"}\"}",
                        "{\"payload\":\"from a pipe\\n\"}",
                        "{\"payload\":\"-5\"}");
    }

    @Test
    void showsQueueStatistics() throws IOException {
        try (ScriptedAdmin other = new ScriptedAdmin()) {
            other.then(200, "{\"name\":\"emails\",\"paused\":true,\"waiting\":3,\"workers\":2,\"oldestSeconds\":61}");

            assertThat(CliRun.at(other.url(), "queues", "show", "emails").out()).isEqualToNormalizingNewlines("""
                            QUEUE   GROUP  PAUSED  WAITING  RUNNING  DEAD  WORKERS  OLDEST DUE
                            emails  -      yes     3        0        0     2        61 s
                            """);
            assertThat(other.calls.get(0).path()).isEqualTo("/api/queues/emails");
        }
    }

    @Test
    void reportsDuplicateKey() throws IOException {
        try (ScriptedAdmin other = new ScriptedAdmin()) {
            other.then(201, "{\"id\":\"9\",\"duplicate\":true}");

            assertThat(CliRun.at(other.url(), "queues", "push", "emails", "x", "--key", "u")
                            .out())
                    .isEqualToIgnoringNewLines("Message 9 has this key already; nothing was added.");
        }
    }
}
