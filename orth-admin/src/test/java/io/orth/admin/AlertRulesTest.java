package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Checks the alerts with promtool, which {@code ./orth test} finds or fetches; otherwise {@code -Dorth.promtool}. */
@Tag("must-pipelines")
@Tag("must-first")
@Timeout(60)
class AlertRulesTest {

    private static final Path RULES = Path.of("..", "monitoring", "prometheus");
    private static final String TEST = "-test.yml";

    private record Ended(int code, String output) {}

    @TempDir
    Path directory;

    private String promtool;

    @BeforeEach
    void findPromtool() {
        promtool = System.getProperty("orth.promtool", "");
        assumeThat(promtool).as("-Dorth.promtool").isNotEmpty();
    }

    private Ended promtool(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(promtool));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        return new Ended(process.exitValue(), output);
    }

    /** Those that hold rules, or those that test them. */
    private static List<Path> files(boolean tests) throws IOException {
        try (Stream<Path> all = Files.list(RULES)) {
            return all.filter(file -> file.toString().endsWith(".yml"))
                    .filter(file -> file.toString().endsWith(TEST) == tests)
                    .toList();
        }
    }

    @Test
    void everyRuleFileIsValid() throws Exception {
        assertThat(files(false))
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("alerts.yml", "orth-rules.yml");
        for (Path file : files(false)) {
            Ended checked = promtool("check", "rules", file.toString());

            assertThat(checked.code()).as(checked.output()).isZero();
        }
    }

    @Test
    void alertsFireExactlyWhenExpected() throws Exception {
        assertThat(files(true)).isNotEmpty();
        for (Path file : files(true)) {
            Ended tested = promtool("test", "rules", file.toString());

            assertThat(tested.code()).as(tested.output()).isZero();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "HydrateJobsBacklogHigh|> 1000|>= 1000",
                "HydrateJobsBacklogHigh|> 1000|> 1001",
                "HydrateJobsBacklogHigh|max(hydrate_jobs_backlog)|sum(hydrate_jobs_backlog)",
                "HydrateJobsBacklogHigh|for: 10m|for: 9m",
                "HydrateJobsBacklogHigh|for: 10m|for: 11m",
                "HydrateJobFailures|> 0.05|>= 0.05",
                "HydrateJobFailures|> 0.05|> 0.06",
                "HydrateJobFailures|>= 20|> 20",
                "HydrateJobFailures|>= 20|>= 19",
                "HydrateJobFailures|hydrate_jobs_completed_total[5m]|hydrate_jobs_completed_total[10m]",
                "HydrateJobFailures|hydrate_jobs_completed_total[5m]|hydrate_jobs_created_total[5m]",
                "HydrateJobFailures|hydrate_jobs_failed_total[5m]|hydrate_jobs_failed_total[15m]"
            })
    void detectsSlightlyWrongRule(String alert, String right, String wrong) throws Exception {
        Path tests = Files.copy(RULES.resolve("alerts-test.yml"), directory.resolve("alerts-test.yml"));
        String rules = Files.readString(RULES.resolve("alerts.yml"));
        int begin = rules.indexOf("- alert: " + alert);
        int place = rules.indexOf(right, begin);
        assertThat(place).as("'%s' in the rule %s", right, alert).isGreaterThan(begin);
        Files.writeString(
                directory.resolve("alerts.yml"),
                rules.substring(0, place) + wrong + rules.substring(place + right.length()));

        Ended tested = promtool("test", "rules", tests.toString());

        assertThat(tested.code()).as(tested.output()).isNotZero();
        assertThat(tested.output()).contains("FAILED", "alertname: " + alert);
    }
}
