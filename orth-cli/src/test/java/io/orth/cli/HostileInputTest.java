package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Mistyped input and rejections by admins: one sentence that names the problem, the right code, and never a stack
 * trace.
 */
@Tag("must-pipelines")
class HostileInputTest {

    @TempDir
    Path directory;

    private ScriptedAdmin admin;

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
        admin.then(200, "{\"items\":[]}");
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private CliRun rejectedAsUsage(String... args) {
        CliRun run = CliRun.at(admin.url(), args);
        assertThat(run.code()).as(run.err()).isEqualTo(2);
        assertThat(run.out()).isEmpty();
        assertThat(run.err()).doesNotContain("\tat ", "Exception");
        assertThat(admin.calls).isEmpty();
        return run;
    }

    // --- typed input

    static Stream<Arguments> invalidArguments() {
        return Stream.of(
                typed("Missing required subcommand"),
                typed("Missing required subcommand", "pipelines"),
                typed("Unmatched arguments from index 0: 'pipeline'", "pipeline", "list"),
                typed("Did you mean: pipelines pause?", "pipelines", "pauze"),
                typed("Unknown option: '--colour'", "pipelines", "list", "--colour"),
                typed("'abc' is not a whole number", "pipelines", "show", "abc"),
                typed("'x' is not a whole number", "pipelines", "retry", "1", "--task", "x"),
                typed("'99999999999999999999' is not a whole number", "reconcile", "--rootJobId=99999999999999999999"),
                typed("Missing required parameter: 'ROOT'", "pipelines", "cancel", "--reason", "x"),
                typed("Missing required option: '--reason=TEXT'", "pipelines", "cancel", "1"),
                typed("mutually exclusive", "pipelines", "retry", "1", "--stage", "a", "--task", "2"),
                typed("(--all | ID...)", "outbox", "redrive"),
                typed("'3'", "outbox", "redrive", "--all", "3"),
                typed("expected one of [CRITICAL, HIGH, DEFAULT, LOW]", "queues", "push", "q", "x", "--lane", "fast"),
                typed("'soon' is not a time such as PT5M", "queues", "push", "q", "x", "--delay", "soon"),
                typed("delay must be between 0 and 366 days", "queues", "push", "q", "x", "--delay=-PT1S"),
                typed("queue must be 1 to 100", "queues", "push", "a b", "x"),
                typed("queue must be more than dots", "queues", "push", "..", "x"),
                typed("pipeline must be 1 to 64", "pipelines", "pause", ""),
                typed("pipeline must be more than dots", "pipelines", "define", "..", "-"),
                typed("stage must be 1 to 64", "pipelines", "pause", "books", "a/b"),
                typed("scope is not valid JSON", "pipelines", "submit", "books", "--scope", "{\"targets\":"),
                typed("scope must be a JSON object", "pipelines", "submit", "books", "--scope", "[1]"),
                typed("options is not valid JSON", "pipelines", "submit", "books", "--options", "force=true"),
                typed("scope is not valid JSON", "pipelines", "submit", "books", "--scope", "[".repeat(10_000)),
                typed("key must have 1 to 200", "pipelines", "submit", "books", "--key", "ä"),
                typed("there is no file no-such-file.yaml", "pipelines", "define", "books", "no-such-file.yaml"),
                typed("there is no file nothing.json", "pipelines", "submit", "books", "--scope", "@nothing.json"),
                typed("there is no file nothing.json", "queues", "push", "q", "@nothing.json"),
                typed("cannot be the name of a file", "queues", "push", "q", "@a\0b"),
                typed("cannot be read", "pipelines", "define", "books", "."),
                typed("there is no file credentials", "--credentials", "credentials", "pipelines", "list"),
                typed("--url must be like http://host:port", "--url", "ftp://x", "pipelines", "list"),
                typed("--url must be like http://host:port", "--url", "a b", "pipelines", "list"));
    }

    private static Arguments typed(String sentence, String... args) {
        return Arguments.of(sentence, args);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("invalidArguments")
    void reportsInvalidArgumentsAndExitsWithTwo(String sentence, String[] args) {
        assertThat(rejectedAsUsage(args).err()).contains(sentence);
    }

    @Test
    void rejectsTooLargeAndBinaryFiles() throws IOException {
        Path large = Files.write(directory.resolve("large"), new byte[Input.LARGEST + 1]);
        Path binary = Files.write(directory.resolve("binary"), new byte[] {(byte) 0xff, 1});

        assertThat(rejectedAsUsage("queues", "push", "q", "@" + large).err()).contains("has more than 4194304 bytes");
        assertThat(rejectedAsUsage("pipelines", "define", "books", large.toString())
                        .err())
                .contains("has more than 4194304 bytes");
        assertThat(rejectedAsUsage("queues", "push", "q", "@" + binary).err()).contains("is not text in UTF-8");
    }

    @Test
    void boundsEndlessStandardInput() {
        InputStream endless = new InputStream() {
            @Override
            public int read() {
                return ' ';
            }
        };

        CliRun run = CliRun.in(Map.of("ORTH_TOKEN", "t"), endless, "--url", admin.url(), "queues", "push", "q", "-");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).isEqualToIgnoringNewLines("standard input has more than 4194304 bytes");
    }

    @Test
    void reportsUnwritableFile() {
        CliRun run = CliRun.at(admin.url(), "pipelines", "post-mortem", "1", "--out", directory + "/no/such");

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("--out cannot be written");
    }

    /** An argument that starts with @ names a file of JSON, never a file of further arguments. */
    @Test
    void filesOfArgumentsAreNotRead() throws IOException {
        Path args = Files.writeString(directory.resolve("args"), "--all");

        assertThat(rejectedAsUsage("outbox", "redrive", "@" + args).err()).contains("is not a whole number");
    }

    // --- responses of admins

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "401|{\"code\":\"NOT_AUTHENTICATED\",\"detail\":\"the token is not known\"}|the admin refused (NOT_AUTHENTICATED): the"
                        + " token is not known; is the token of ORTH_TOKEN or --credentials this admin's?",
                "403|{\"code\":\"NOT_ALLOWED\",\"detail\":\"your role does not allow this\"}|the admin refused (NOT_ALLOWED): your role"
                        + " does not allow this",
                "404|{\"code\":\"NOT_FOUND\",\"detail\":\"there is no pipeline run 1\"}|the admin refused (NOT_FOUND): there is no pipeline run 1",
                "400|{\"code\":\"INVALID_INPUT\",\"detail\":\"stage is not one of the run's\",\"errors\":[{\"field\":\"stage\","
                        + "\"message\":\"is not one of the run's\"},{\"field\":\"taskIds\",\"message\":\"must be 1 to 1000\"}]}|the admin"
                        + " refused (INVALID_INPUT): stage is not one of the run's; taskIds must be 1 to 1000",
                "409|{\"code\":\"CONFLICT\",\"detail\":\"pipeline run 1 is COMPLETED\"}|the admin refused (CONFLICT): pipeline run 1 is COMPLETED",
                "418|{}|the admin refused (HTTP_418)",
                "200|<html>Who are you?</html>|no admin could be asked",
                "200|[]|no admin could be asked",
                "500|{\"code\":7,\"errors\":{}}|the admin refused (HTTP_500)"
            })
    void reportsRejectionByAdminAndExitsWithOne(int status, String body, String sentence) throws IOException {
        try (ScriptedAdmin refusing = new ScriptedAdmin()) {
            refusing.then(status, body);

            CliRun run = CliRun.at(refusing.url(), "pipelines", "retry", "1");

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.out()).isEmpty();
            assertThat(run.err().lines()).hasSize(1);
            assertThat(run.err()).startsWith(sentence).doesNotContain("\tat ");
        }
    }

    @Test
    void anAdminThatIsNotThereIsNamed() {
        String url = admin.url();
        admin.close();

        CliRun run = CliRun.at(url, "pipelines", "list");

        assertThat(run.code()).isEqualTo(1);
        assertThat(run.err().lines()).hasSize(1);
        assertThat(run.err()).startsWith("no admin could be asked: " + url);
    }

    @Test
    void abortsEndlessResponse() throws IOException {
        byte[] megabyte = " ".repeat(1024 * 1024).getBytes(StandardCharsets.US_ASCII);
        try (ScriptedAdmin endless = new ScriptedAdmin()) {
            endless.then(exchange -> {
                exchange.sendResponseHeaders(200, 0);
                while (true) {
                    exchange.getResponseBody().write(megabyte);
                }
            });

            CliRun run = CliRun.at(endless.url(), "pipelines", "retry", "1");

            assertThat(run.code()).isEqualTo(1);
            assertThat(run.err()).contains("the answer is longer than").hasLineCount(1);
        }
    }

    /** Foreign text must not control the reader's terminal. */
    @Test
    void escapesControlCharactersOfForeignText() throws IOException {
        try (ScriptedAdmin evil = new ScriptedAdmin()) {
            evil.then(200, """
                    {"items":[{"id":"5","rootJobId":"1","status":"FAILED","stage":"s","targetType":"t",
                      "targetId":"\\u202egnp.exe","error":{"code":"X","message":"a\\u001b[2Jb\\nc\\u009b1md %s"}}]}
                    """.formatted("long ".repeat(10_000)));

            CliRun run = CliRun.at(evil.url(), "pipelines", "tasks", "1");

            assertThat(run.out().codePoints())
                    .allMatch(c -> c == '\n' || c == '\r' || (!Character.isISOControl(c) && c != 0x202e));
            assertThat(run.out().lines()).hasSize(2).allMatch(line -> line.length() < 300);
            evil.then(400, "{\"code\":\"X\",\"detail\":\"a\\u001b[2Jb\\nc\"}");
            assertThat(CliRun.at(evil.url(), "pipelines", "retry", "1").err().lines())
                    .hasSize(1);
        }
    }
}
