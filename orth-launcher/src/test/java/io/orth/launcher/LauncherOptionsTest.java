package io.orth.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LauncherOptionsTest {

    private static LauncherOptions parse(Map<String, String> environment, String... more) {
        List<String> arguments =
                new ArrayList<>(List.of("--data", "/d", "--java", "/j", "--admin-jar", "/a", "--executor-jar", "/e"));
        arguments.addAll(List.of(more));
        return LauncherOptions.parse(arguments, environment);
    }

    private static LauncherOptions parse(String... more) {
        return parse(Map.of(), more);
    }

    @Test
    void hasDefaults() {
        LauncherOptions options = parse();

        assertThat(options.port()).isEqualTo(8080);
        assertThat(options.samples()).isTrue();
        assertThat(options.database()).isEmpty();
        assertThat(options.baseUrl()).isEqualTo("http://127.0.0.1:8080");
    }

    @Test
    void lastValueOfAnOptionWins() {
        LauncherOptions options = parse("--port", "9000", "--data=/other place", "--no-samples", "--port=9001");

        assertThat(options.port()).isEqualTo(9001);
        assertThat(options.dataDirectory()).isEqualTo(Path.of("/other place"));
        assertThat(options.samples()).isFalse();
    }

    @Test
    @Tag("must-first")
    void endsAnAdminThatRunsOutOfMemoryButNoExecutor() {
        Commands commands = new Commands(parse());

        assertThat(commands.admin()).containsSequence("/j", "-XX:+ExitOnOutOfMemoryError", "-jar", "/a");
        assertThat(commands.executor()).containsSequence("/j", "-jar", "/e");
    }

    @Test
    void givesTheAdminADatabaseWithoutShowingItsPassword() {
        LauncherOptions options = parse(
                Map.of("ORTH_DATABASE_PASSWORD", "secret"), "--db-url", "jdbc:postgresql://db/orth", "--db-user", "me");
        Commands commands = new Commands(options);

        assertThat(commands.admin())
                .contains("--orth.database.url=jdbc:postgresql://db/orth", "--orth.database.user=me")
                .noneMatch(argument -> argument.contains("secret"));
        assertThat(commands.adminEnvironment()).containsEntry("ORTH_DATABASE_PASSWORD", "secret");
        assertThat(options.toString()).doesNotContain("secret");
    }

    @Test
    void sharesCacheBetweenDataDirectories() {
        assertThat(new Commands(parse("--cache", "/c")).admin()).contains("--orth.database.programs-dir=/c/postgres");
        assertThat(new Commands(parse()).admin()).noneMatch(argument -> argument.contains("programs-dir"));
    }

    @Test
    void prefersThePasswordOfTheCommandLine() {
        LauncherOptions options = parse(
                Map.of("ORTH_DATABASE_PASSWORD", "one"), "--db-url=jdbc:postgresql://db/orth", "--db-password", "two");

        assertThat(options.database().orElseThrow().password()).isEqualTo("two");
    }

    @Test
    void reportsInvalidOptions() {
        assertRejected("'--ports' is not an option of up; ./orth help lists them.", "--ports", "1");
        assertRejected("--port needs a value.", "--port");
        assertRejected("--port needs a value.", "--port", "--no-samples");
        assertRejected("--port must be a number from 1 to 65535, got 'x'.", "--port", "x");
        assertRejected("--port must be a number from 1 to 65535, got '70000'.", "--port", "70000");
        assertRejected("--data is missing.", "--data", "");
        assertRejected("--db-user and --db-password need --db-url.", "--db-user", "me");
        assertRejected(
                "--db-url must start with jdbc:postgresql:, like jdbc:postgresql://host:5432/orth, got 'jdbc:mysql:x'.",
                "--db-url",
                "jdbc:mysql:x");
    }

    private static void assertRejected(String message, String... arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOfSatisfying(
                        LauncherException.class, e -> assertThat(e.exitCode()).isEqualTo(2))
                .hasMessage(message);
    }
}
