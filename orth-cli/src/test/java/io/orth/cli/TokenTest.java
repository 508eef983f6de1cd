package io.orth.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ScriptedAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The sources of the token, and the hosts it is sent to. */
class TokenTest {

    @TempDir
    Path directory;

    private ScriptedAdmin admin;
    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void start() throws IOException {
        admin = new ScriptedAdmin();
        admin.then(200, "{\"items\":[]}");
    }

    @AfterEach
    void stop() {
        admin.close();
    }

    private CliRun list(String... options) {
        String[] args = new String[options.length + 2];
        System.arraycopy(options, 0, args, 0, options.length);
        args[options.length] = "pipelines";
        args[options.length + 1] = "list";
        return CliRun.in(variables, "", args);
    }

    private String credentials(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text).toString();
    }

    private String shown() {
        return admin.calls.get(admin.calls.size() - 1).authorization();
    }

    @Test
    void prefersCredentialsOptionThenVariableThenLocalFile() throws IOException {
        variables.put("ORTH_URL", admin.url());
        variables.put("ORTH_LOCAL_CREDENTIALS", credentials("local.json", "{\"apiToken\":\"local\"}"));

        assertThat(list().code()).isZero();
        assertThat(shown()).isEqualTo("Bearer local");
        variables.put("ORTH_TOKEN", " variable\n");
        list();
        assertThat(shown()).isEqualTo("Bearer variable");
        list("--credentials", credentials("own.json", "{\"user\":\"ann\",\"apiToken\":\"own\"}"));
        assertThat(shown()).isEqualTo("Bearer own");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://example.invalid:8080",
                "http://127.0.0.1.example.invalid",
                "http://localhost.example.invalid"
            })
    void sendsLocalTokenToNoOtherHost(String url) throws IOException {
        variables.put("ORTH_LOCAL_CREDENTIALS", credentials("local.json", "{\"apiToken\":\"local\"}"));

        CliRun run = list("--url", url);

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err())
                .isEqualToIgnoringNewLines("a token is needed: set ORTH_TOKEN, or give --credentials FILE");
    }

    @Test
    void reportsMissingToken() {
        variables.put("ORTH_TOKEN", " ");

        assertThat(list("--url", admin.url()).err()).startsWith("a token is needed");
        assertThat(admin.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "[]", "{\"apiToken\":\"\"}", "{\"apiToken\":{}}", "secret"})
    void reportsInvalidCredentialsFileWithoutItsContent(String text) throws IOException {
        CliRun run = list("--url", admin.url(), "--credentials", credentials("c.json", text));

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).contains("c.json holds no credentials");
    }

    @Test
    void aTokenThatIsNoneIsNotRepeated() {
        variables.put("ORTH_TOKEN", "my secret");

        CliRun run = list("--url", admin.url());

        assertThat(run.code()).isEqualTo(2);
        assertThat(run.err()).startsWith("token must be an API token").doesNotContain("my secret");
    }
}
