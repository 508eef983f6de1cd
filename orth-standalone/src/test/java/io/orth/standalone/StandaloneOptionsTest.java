package io.orth.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneOptionsTest {

    private static final Map<String, String> TOKEN = Map.of("ORTH_EXECUTOR_ACCESS_TOKEN", "secret");

    @Test
    void onlyTheAdminIsNeeded() {
        StandaloneOptions options = parse("--admin", "http://one:8080");

        assertThat(options.executor().admins()).containsExactly(URI.create("http://one:8080/"));
        assertThat(options.executor().group()).isEqualTo("default");
        assertThat(options.executor().port()).isZero();
        assertThat(options.executor().host()).isNull();
        assertThat(options.executor().accessToken()).isEqualTo("secret");
        assertThat(options.executor().logPath()).isEqualTo(Path.of("orth-executor"));
        assertThat(options.samples()).isFalse();
        assertThat(options.lifeline()).isFalse();
    }

    @Test
    void everyOptionIsUsed(@TempDir Path directory) throws IOException {
        Path token = Files.writeString(directory.resolve("token"), "from-file\n");

        StandaloneOptions options = StandaloneOptions.parse(
                List.of(
                        "--admin",
                        "http://one,http://two:81/x",
                        "--admin",
                        "https://three",
                        "--group",
                        "g",
                        "--port",
                        "1234",
                        "--host",
                        "127.0.0.1",
                        "--data",
                        "d",
                        "--samples",
                        "--lifeline",
                        "stdin",
                        "--token-file",
                        token.toString()),
                TOKEN);

        assertThat(options.executor().admins())
                .containsExactly(
                        URI.create("http://one/"), URI.create("http://two:81/x/"), URI.create("https://three/"));
        assertThat(options.executor().group()).isEqualTo("g");
        assertThat(options.executor().port()).isEqualTo(1234);
        assertThat(options.executor().host()).isEqualTo("127.0.0.1");
        assertThat(options.executor().logPath()).isEqualTo(Path.of("d"));
        assertThat(options.executor().accessToken()).isEqualTo("from-file");
        assertThat(options.samples()).isTrue();
        assertThat(options.lifeline()).isTrue();
    }

    @Test
    void aMistakeIsToldInOneSentence() {
        assertRefused("--admin is missing", "--samples");
        assertRefused("--admin needs a value", "--admin");
        assertRefused("--admin needs a value", "--admin", "--samples");
        assertRefused("admins must be like http://host:port/, got 'localhost'", "--admin", "localhost");
        assertRefused("admins must be like http://host:port/, got ''", "--admin", "http://one,");
        assertRefused("--port must be a number, got 'x'", "--admin", "http://one", "--port", "x");
        assertRefused("port must be between 0 and 65535, got 70000", "--admin", "http://one", "--port", "70000");
        assertRefused("--lifeline must be stdin, got 'tty'", "--lifeline", "tty");
        assertRefused("'--token' is not an option", "--token", "secret");
        assertRefused(
                "the token file /no/such/file cannot be read",
                "--admin",
                "http://one",
                "--token-file",
                "/no/such/file");
        assertThatThrownBy(() -> StandaloneOptions.parse(List.of("--admin", "http://one"), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage("the access token is missing: set ORTH_EXECUTOR_ACCESS_TOKEN or give --token-file");
    }

    private static void assertRefused(String complaint, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(complaint);
    }

    private static StandaloneOptions parse(String... arguments) {
        return StandaloneOptions.parse(List.of(arguments), TOKEN);
    }
}
