package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The dashboards and the alerts use metrics that there are, and the dashboards show all of them. */
class MonitoringFilesTest {

    private static final Path MONITORING = Path.of("..", "monitoring");
    private static final Pattern METRIC = Pattern.compile("\\b(?:orth|hydrate|outbox|reconciler)_\\w+");
    private static final Pattern OF_HISTOGRAM = Pattern.compile("_(bucket|count|sum|max)$");

    @Test
    void alertsUseExistingMetrics() throws IOException {
        List<Map<String, Object>> rules = rules();

        assertThat(rules)
                .extracting(rule -> rule.get("alert"))
                .containsExactlyInAnyOrder(
                        "OrthDatabaseOldSnapshot",
                        "OrthRelayLags",
                        "OrthSinkFails",
                        "OrthTransitionsDropped",
                        "OrthRelayAbsent",
                        "OrthSystemLogDropped",
                        "OrthExecutorOutage",
                        "OrthQueueBacklog",
                        "OrthQueueFails",
                        "OrthQueueStands",
                        "HydrateJobsBacklogHigh",
                        "HydrateJobFailures",
                        "OrthOutboxLate",
                        "OrthOutboxParked");
        assertThat(rules).allSatisfy(rule -> {
            assertThat(metrics(rule.get("expr").toString()))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(listed()).contains(name));
            assertThat(rule.get("labels")).asString().contains("severity");
            assertThat(rule.get("annotations")).asString().contains("summary").contains("description");
        });
    }

    @Test
    void dashboardsShowExactlyTheExistingMetrics() throws IOException {
        Set<String> shown = new HashSet<>();
        try (Stream<Path> files = Files.list(MONITORING.resolve("grafana"))) {
            for (Path file : files.toList()) {
                shown.addAll(metricsOf(file));
            }
        }

        assertThat(shown).isEqualTo(listed());
    }

    private static Set<String> metricsOf(Path file) throws IOException {
        JsonNode dashboard = JsonMapper.builder().build().readTree(Files.readAllBytes(file));
        Set<String> shown = new HashSet<>();
        Set<Integer> ids = new HashSet<>();
        for (JsonNode panel : dashboard.path("panels")) {
            assertThat(ids.add(panel.path("id").asInt())).as("one id a panel").isTrue();
            assertThat(panel.path("title").asString()).isNotBlank();
            for (JsonNode target : panel.path("targets")) {
                Set<String> metrics = metrics(target.path("expr").asString());
                assertThat(metrics).as(target.toString()).isNotEmpty();
                shown.addAll(metrics);
            }
        }
        for (JsonNode variable : dashboard.path("templating").path("list")) {
            assertThat(metrics(variable.toString())).isSubsetOf(listed());
        }
        return shown;
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws IOException {
        List<Map<String, Object>> rules = new ArrayList<>();
        for (String name : List.of("orth-rules.yml", "alerts.yml")) {
            Map<String, Object> file = new Yaml()
                    .load(Files.readString(MONITORING.resolve("prometheus").resolve(name)));
            for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
                rules.addAll((List<Map<String, Object>>) group.get("rules"));
            }
        }
        return rules;
    }

    private static Set<String> metrics(String expression) {
        Stream<String> names = METRIC.matcher(expression).results().map(MatchResult::group);
        return names.map(name -> OF_HISTOGRAM.matcher(name).replaceAll("")).collect(Collectors.toSet());
    }

    private static Set<String> listed() {
        return ReferencePage.rows("metrics.md").stream().map(row -> row.get(0)).collect(Collectors.toSet());
    }
}
