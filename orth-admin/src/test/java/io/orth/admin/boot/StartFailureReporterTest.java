package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.testkit.FreePort;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.support.GenericApplicationContext;

/** With the exceptions real starts end in. */
class StartFailureReporterTest {

    /** As much of the admin as these starts get to. */
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({DatabaseConfiguration.class, UnknownSettings.class})
    static class Beginning {}

    @TempDir
    Path directory;

    @Test
    void aDatabaseThatIsNotThereIsNamed() throws Exception {
        String said = start("orth.database.url=jdbc:postgresql://127.0.0.1:%d/orth".formatted(FreePort.find()));

        assertThat(said)
                .startsWith("orth: cannot use the database jdbc:postgresql://127.0.0.1:")
                .hasLineCount(1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            orth.database.url=jdbc:mysql://db/x | orth.database.url must start with jdbc:postgresql:, got 'jdbc:mysql://db/x'
            orth.database.pool-size=1           | orth.database.pool-size must be at least 4, because two transactions record results and use no more than half of it (orth.callback.concurrency), got 1
            orth.database.pool-size=many        | orth.database.pool-size cannot be 'many'
            orth.database.connect-timeout=soon  | orth.database.connect-timeout cannot be 'soon'
            """)
    void aBadValueIsNamedWithItsKey(String setting, String sentence) {
        assertThat(start(setting)).isEqualTo("orth: the configuration is wrong: " + sentence);
    }

    @ParameterizedTest
    @Tag("must-kernel")
    @CsvSource(delimiter = '|', textBlock = """
            orth.database.pool-siz=5   | orth.database.pool-siz is not a setting; did you mean orth.database.pool-size?
            orth.databse.url=x         | orth.databse.url is not a setting; did you mean orth.database.url?
            orth.data-dri=x            | orth.data-dri is not a setting; did you mean orth.data-dir?
            orth.colour-of-the-door=x  | orth.colour-of-the-door is not a setting
            orth.<script>alert(1)=x    | orth.<script>alert(1) is not a setting
            """)
    void namesUnknownSettingBeforeStart(String setting, String sentence) {
        assertThat(start(setting)).isEqualTo("orth: the configuration is wrong: " + sentence);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aBusyPortIsNamed() {
        assertThat(report(new IllegalStateException(new PortInUseException(8080))))
                .isEqualTo("orth: port 8080 is in use: choose another with --server.port");
    }

    @Test
    void passesOwnReasonsUnchanged() {
        assertThat(report(new IllegalStateException(new StartFailure("the disk is full"))))
                .isEqualTo("orth: the disk is full");
    }

    @Test
    void leavesProgramErrorsToSpring() {
        assertThat(report(new IllegalStateException("a bug"))).isEmpty();
    }

    /** The output of a start with this setting. */
    private String start(String setting) {
        SpringApplication application = new SpringApplication(Beginning.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        String url =
                setting.startsWith("orth.database.url") ? "x=y" : "orth.database.url=jdbc:postgresql://127.0.0.1:1/x";
        String limit = setting.contains("connect-timeout") ? "x=y" : "orth.database.connect-timeout=500ms";
        return printed(() -> assertThatThrownBy(
                        () -> application.run("--" + setting, "--orth.data-dir=" + directory, "--" + url, "--" + limit))
                .isInstanceOf(RuntimeException.class));
    }

    private static String report(Throwable failure) {
        return printed(() -> new StartFailureReporter(new GenericApplicationContext()).reportException(failure));
    }

    private static String printed(Runnable work) {
        PrintStream before = System.err;
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        System.setErr(new PrintStream(bytes, true, StandardCharsets.UTF_8));
        try {
            work.run();
        } finally {
            System.setErr(before);
        }
        return bytes.toString(StandardCharsets.UTF_8).strip();
    }
}
