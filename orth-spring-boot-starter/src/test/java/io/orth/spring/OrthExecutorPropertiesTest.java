package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.ScriptLanguage;
import io.orth.executor.ScriptOptions;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class OrthExecutorPropertiesTest {

    private static final Map<String, String> REQUIRED = Map.of(
            "orth.executor.group", "tests",
            "orth.executor.admins", "http://one:8080",
            "orth.executor.access-token", "secret");

    @Test
    void defaultsAreThoseOfTheExecutor() {
        ExecutorOptions expected = ExecutorOptions.builder()
                .group("tests")
                .admin("http://one:8080")
                .accessToken("secret")
                .build();

        assertThat(bind(Map.of()).toOptions()).isEqualTo(expected);
        assertThat(bind(Map.of()).enabled()).isTrue();
    }

    @Test
    void mapsEveryKey() {
        Map<String, String> all = new HashMap<>();
        all.put("orth.executor.enabled", "false");
        all.put("orth.executor.group", "billing");
        all.put("orth.executor.admins", "http://one:8080,https://two/orth");
        all.put("orth.executor.access-token", "t0ken");
        all.put("orth.executor.host", "10.0.0.1");
        all.put("orth.executor.port", "9999");
        all.put("orth.executor.advertised-address", "http://public:80");
        all.put("orth.executor.log-path", "/var/log/orth");
        all.put("orth.executor.log-retention-days", "7");
        all.put("orth.executor.max-log-size", "10MB");
        all.put("orth.executor.queue-capacity", "5");
        all.put("orth.executor.poll-interval", "1s");
        all.put("orth.executor.idle-polls", "8");
        all.put("orth.executor.interrupt-grace", "4s");
        all.put("orth.executor.request-threads", "6");
        all.put("orth.executor.beat-interval", "2s");
        all.put("orth.executor.admin-timeout", "3s");
        all.put("orth.executor.callback-retry-interval", "1m");
        all.put("orth.executor.shutdown-grace", "0s");
        all.put("orth.executor.scripts.enabled", "true");
        all.put("orth.executor.scripts.shell", "/bin/dash");
        all.put("orth.executor.scripts.python", "python3.12");
        all.put("orth.executor.scripts.python2", "python2.7");
        all.put("orth.executor.scripts.node", "nodejs");
        all.put("orth.executor.scripts.php", "php8");
        all.put("orth.executor.scripts.powershell", "powershell");
        all.put("orth.executor.glue.enabled", "true");

        OrthExecutorProperties properties = bind(all);

        assertThat(properties.enabled()).isFalse();
        assertThat(properties.toOptions())
                .isEqualTo(new ExecutorOptions(
                        "billing",
                        List.of(URI.create("http://one:8080/"), URI.create("https://two/orth/")),
                        "t0ken",
                        "10.0.0.1",
                        9999,
                        URI.create("http://public:80/"),
                        Path.of("/var/log/orth"),
                        7,
                        10 * 1024 * 1024,
                        5,
                        Duration.ofSeconds(1),
                        8,
                        Duration.ofSeconds(4),
                        6,
                        Duration.ofSeconds(2),
                        Duration.ofSeconds(3),
                        Duration.ofMinutes(1),
                        Duration.ZERO,
                        new ScriptOptions(
                                true,
                                true,
                                Map.of(
                                        ScriptLanguage.SHELL, "/bin/dash",
                                        ScriptLanguage.PYTHON, "python3.12",
                                        ScriptLanguage.PYTHON2, "python2.7",
                                        ScriptLanguage.NODE, "nodejs",
                                        ScriptLanguage.PHP, "php8",
                                        ScriptLanguage.POWERSHELL, "powershell"))));
    }

    @ParameterizedTest
    @CsvSource({
        "group, ''",
        "group, two words",
        "admins, ''",
        "admins, localhost:8080",
        "admins, ftp://one",
        "admins, http://user@one",
        "admins, http://one/?a=b",
        "access-token, ''",
        "access-token, 'a b'",
        "port, -1",
        "port, 65536",
        "advertised-address, somewhere",
        "log-retention-days, 0",
        "max-log-size, 1B",
        "queue-capacity, 0",
        "poll-interval, 0s",
        "idle-polls, -1",
        "interrupt-grace, -1s",
        "request-threads, 0",
        "beat-interval, 0s",
        "admin-timeout, -1s",
        "callback-retry-interval, 0s",
        "shutdown-grace, -1s",
        "scripts.shell, ''"
    })
    void aBadValueNamesItsKey(String key, String value) {
        OrthExecutorProperties properties = bind(Map.of("orth.executor." + key, value));

        assertThatThrownBy(properties::toOptions)
                .isInstanceOf(InvalidExecutorPropertyException.class)
                .hasMessageStartingWith("orth.executor." + key + " must ");
    }

    private static OrthExecutorProperties bind(Map<String, String> values) {
        Map<String, String> all = new HashMap<>(REQUIRED);
        all.putAll(values);
        return new Binder(new MapConfigurationPropertySource(all))
                .bindOrCreate(OrthExecutorProperties.PREFIX, OrthExecutorProperties.class);
    }
}
