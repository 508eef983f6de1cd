package io.orth.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.ScriptLanguage;
import io.orth.executor.ScriptOptions;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
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
        assertThat(options.executor().scripts()).isEqualTo(new ScriptOptions(true, true, Map.of()));
        assertThat(options.grace()).isEqualTo(Duration.ofSeconds(3));
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
                        "--advertise",
                        "http://public:81",
                        "--interpreter",
                        "php=/opt/php=8/bin/php",
                        "--interpreter",
                        "node=nodejs",
                        "--no-scripts",
                        "--no-glue",
                        "--grace",
                        "0",
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
        assertThat(options.executor().advertisedAddress()).isEqualTo(URI.create("http://public:81/"));
        assertThat(options.executor().scripts())
                .isEqualTo(new ScriptOptions(
                        false, false, Map.of(ScriptLanguage.PHP, "/opt/php=8/bin/php", ScriptLanguage.NODE, "nodejs")));
        assertThat(options.grace()).isZero();
        assertThat(options.samples()).isTrue();
        assertThat(options.lifeline()).isTrue();
    }

    @Test
    void reportsInvalidOptionsInOneSentence() {
        assertRejected("--admin is missing", "--samples");
        assertRejected("--admin needs a value", "--admin");
        assertRejected("--admin needs a value", "--admin", "--samples");
        assertRejected("admins must be like http://host:port/, got 'localhost'", "--admin", "localhost");
        assertRejected("admins must be like http://host:port/, got ''", "--admin", "http://one,");
        assertRejected("--port must be a number, got 'x'", "--admin", "http://one", "--port", "x");
        assertRejected("port must be between 0 and 65535, got 70000", "--admin", "http://one", "--port", "70000");
        assertRejected("--grace must be a number, got '3s'", "--grace", "3s");
        assertRejected("--grace must be between 0 and 86400 seconds, got -1", "--grace", "-1");
        assertRejected("--interpreter must be like php=/usr/bin/php", "--interpreter", "php");
        assertRejected("--interpreter must be like php=/usr/bin/php", "--interpreter", "=php");
        assertRejected("got 'cobol=cobc'", "--interpreter", "cobol=cobc");
        assertRejected("scripts.php must name a program, got ''", "--admin", "http://one", "--interpreter", "php=");
        assertRejected("advertisedAddress must be like", "--admin", "http://one", "--advertise", "me");
        assertRejected("--data must be a path", "--data", "a\0b");
        assertRejected("'' is not an option", "");
        assertRejected("'$(id)' is not an option", "$(id)");
        assertRejected("--lifeline must be stdin, got 'tty'", "--lifeline", "tty");
        assertRejected("'--token' is not an option", "--token", "secret");
        assertRejected(
                "the token file /no/such/file cannot be read",
                "--admin",
                "http://one",
                "--token-file",
                "/no/such/file");
        assertThatThrownBy(() -> StandaloneOptions.parse(List.of("--admin", "http://one"), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessage("the access token is missing: set ORTH_EXECUTOR_ACCESS_TOKEN or give --token-file");
    }

    @Test
    void theHelpNamesEveryOption() throws IOException {
        String parser = Files.readString(Path.of("src/main/java/io/orth/standalone/StandaloneOptions.java"));

        assertThat(Pattern.compile("case \"(--[a-z-]+)\"")
                        .matcher(parser)
                        .results()
                        .map(match -> match.group(1)))
                .hasSizeGreaterThan(10)
                .allSatisfy(option -> assertThat(StandaloneOptions.USAGE).contains("  " + option + " "));
        assertThat(StandaloneOptions.USAGE)
                .contains("shell, python, python2, node, php, powershell")
                .contains("bash, python3, python, node, php, pwsh")
                .contains("ORTH_EXECUTOR_ACCESS_TOKEN");
    }

    private static void assertRejected(String complaint, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining(complaint);
    }

    private static StandaloneOptions parse(String... arguments) {
        return StandaloneOptions.parse(List.of(arguments), TOKEN);
    }
}
