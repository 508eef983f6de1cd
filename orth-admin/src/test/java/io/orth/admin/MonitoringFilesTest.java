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

/** The dashboard and the alerts use metrics that there are, and the dashboard shows all of them. */
class MonitoringFilesTest {

    private static final Path MONITORING = Path.of("..", "monitoring");
    private static final Pattern METRIC = Pattern.compile("\\borth_\\w+");
    private static final Pattern OF_HISTOGRAM = Pattern.compile("_(bucket|count|sum|max)$");

    @Test
    void alertsUseMetricsThatThereAre() throws IOException {
        List<Map<String, Object>> rules = rules();

        assertThat(rules)
                .extracting(rule -> rule.get("alert"))
                .containsExactlyInAnyOrder(
                        "OrthRelayLags", "OrthSinkFails", "OrthTransitionsDropped", "OrthRelayAbsent");
        assertThat(rules).allSatisfy(rule -> {
            assertThat(metrics(rule.get("expr").toString()))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(listed()).contains(name));
            assertThat(rule.get("labels")).asString().contains("severity");
            assertThat(rule.get("annotations")).asString().contains("summary").contains("description");
        });
    }

    @Test
    void theDashboardShowsEveryMetricAndNoOther() throws IOException {
        JsonNode dashboard = JsonMapper.builder()
                .build()
                .readTree(Files.readAllBytes(MONITORING.resolve("grafana/orth-transitions.json")));
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

        assertThat(shown).isEqualTo(listed());
        for (JsonNode variable : dashboard.path("templating").path("list")) {
            assertThat(metrics(variable.toString())).isSubsetOf(listed());
        }
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> rules() throws IOException {
        Map<String, Object> file = new Yaml().load(Files.readString(MONITORING.resolve("prometheus/orth-rules.yml")));
        List<Map<String, Object>> rules = new ArrayList<>();
        for (Map<String, Object> group : (List<Map<String, Object>>) file.get("groups")) {
            rules.addAll((List<Map<String, Object>>) group.get("rules"));
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
