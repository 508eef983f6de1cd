package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ExecutorOptionsTest {

    @Test
    @Tag("must-executor")
    void hasTheDocumentedDefaults() {
        ExecutorOptions options = minimal().build();

        assertThat(options.host()).isNull();
        assertThat(options.port()).isZero();
        assertThat(options.advertisedAddress()).isNull();
        assertThat(options.logPath()).isEqualTo(Path.of("orth-executor"));
        assertThat(options.logRetentionDays()).isEqualTo(30);
        assertThat(options.maxLogBytes()).isEqualTo(256L * 1024 * 1024);
        assertThat(options.queueCapacity()).isEqualTo(1_000);
        assertThat(options.pollInterval()).isEqualTo(Duration.ofSeconds(3));
        assertThat(options.idlePolls()).isEqualTo(30);
        assertThat(options.interruptGrace()).isEqualTo(Duration.ofSeconds(10));
        assertThat(options.requestThreads()).isEqualTo(200);
        assertThat(options.beatInterval()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.adminTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(options.callbackRetryInterval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.shutdownGrace()).isEqualTo(Duration.ofSeconds(30));
        assertThat(options.scripts()).isEqualTo(ScriptOptions.OFF);
    }

    @Test
    void keepsAdminOrderAndAddsTrailingSlash() {
        ExecutorOptions options = minimal().admin("https://two/orth").build();

        assertThat(options.admins()).containsExactly(URI.create("http://one:8080/"), URI.create("https://two/orth/"));
    }

    @Test
    void doesNotPrintTheToken() {
        assertThat(minimal().build().toString()).contains("tests").doesNotContain("secret");
    }

    @Test
    void interpretersHaveDefaultsAndCanBeNamed() {
        ScriptOptions scripts =
                minimal().interpreter(ScriptLanguage.PHP, " /opt/php ").build().scripts();

        assertThat(scripts.interpreters())
                .containsOnly(
                        Map.entry(ScriptLanguage.SHELL, "bash"),
                        Map.entry(ScriptLanguage.PYTHON, "python3"),
                        Map.entry(ScriptLanguage.PYTHON2, "python"),
                        Map.entry(ScriptLanguage.NODE, "node"),
                        Map.entry(ScriptLanguage.PHP, "/opt/php"),
                        Map.entry(ScriptLanguage.POWERSHELL, "pwsh"));
    }

    @Test
    void rejectsBadValueByName() {
        assertRejected(minimal().accessToken(" "), "accessToken must not be blank");
        assertRejected(minimal().accessToken("a\nb"), "accessToken must consist of visible ASCII");
        assertRejected(minimal().group(null), "group must not be blank");
        assertRejected(minimal().group("x".repeat(65)), "group must have at most 64 characters");
        assertRejected(ExecutorOptions.builder().group("g").accessToken("t"), "admins must name at least one");
        assertRejected(minimal().host(" "), "host must not be blank");
        assertRejected(minimal().port(65_536), "port must be between 0 and 65535, got 65536");
        assertRejected(minimal().beatInterval(Duration.ZERO), "beatInterval must be longer than nothing");
        assertRejected(minimal().pollInterval(Duration.ZERO), "pollInterval must be longer than nothing");
        assertRejected(minimal().idlePolls(-1), "idlePolls must be at least 0, got -1");
        assertRejected(minimal().interruptGrace(Duration.ofSeconds(-1)), "interruptGrace must not be negative");
        assertRejected(minimal().queueCapacity(0), "queueCapacity must be at least 1, got 0");
        assertRejected(minimal().interpreter(ScriptLanguage.NODE, " "), "scripts.node must name a program, got ' '");
        assertThatThrownBy(() -> minimal().admin("http://a b")).hasMessageStartingWith("admins must be like");
        assertThatThrownBy(() -> minimal().advertisedAddress("::")).hasMessageStartingWith("advertisedAddress must be");
    }

    @Test
    @Tag("must-first")
    void rejectsTokenThatIsStillAPlaceholder() {
        assertRejected(
                minimal().accessToken("${ORTH_EXECUTOR_ACCESS_TOKEN}"),
                "accessToken is the literal text '${ORTH_EXECUTOR_ACCESS_TOKEN}'");
    }

    private static void assertRejected(ExecutorOptions.Builder options, String complaint) {
        assertThatThrownBy(options::build)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(complaint);
    }

    private static ExecutorOptions.Builder minimal() {
        return ExecutorOptions.builder().group("tests").admin("http://one:8080").accessToken("secret");
    }
}
