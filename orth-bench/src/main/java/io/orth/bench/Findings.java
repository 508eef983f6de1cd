package io.orth.bench;

import io.orth.protocol.Json;
import io.orth.protocol.WireMessage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a benchmark found, in the order it was found. */
public final class Findings {

    /**
     * One number.
     *
     * @param goal in words; null where there is none
     */
    private record Finding(String name, Object value, String unit, String goal, boolean good) {}

    private final List<Finding> found = new ArrayList<>();
    private final Map<String, Object> settings = new LinkedHashMap<>();

    /** A setting of the benchmark or of what it measures. */
    public Findings setting(String name, Object value) {
        settings.put(name, value);
        return this;
    }

    public Findings note(String name, Object value, String unit) {
        found.add(new Finding(name, value, unit, null, true));
        return this;
    }

    public Findings check(String name, Object value, String unit, String goal, boolean good) {
        found.add(new Finding(name, value, unit, goal, good));
        return this;
    }

    /** A number of every round, in their order. */
    public Findings rounds(String name, List<?> values, String unit) {
        return note(name + "OfAll", values, unit);
    }

    /** The names of the goals that were missed. */
    public List<String> missed() {
        return found.stream().filter(each -> !each.good()).map(Finding::name).toList();
    }

    boolean allGood() {
        return missed().isEmpty();
    }

    public Map<String, Object> settings() {
        return Collections.unmodifiableMap(settings);
    }

    /** By name. */
    public Map<String, Object> values() {
        Map<String, Object> values = new LinkedHashMap<>();
        found.forEach(each -> values.put(each.name(), each.value()));
        return values;
    }

    String table(Map<String, Object> conditions) {
        StringBuilder table = new StringBuilder();
        conditions.forEach((name, value) -> table.append("%-32s %s%n".formatted(name, value)));
        settings.forEach((name, value) -> table.append("%-32s %s%n".formatted(name, value)));
        for (Finding each : found) {
            String goal = each.goal() == null ? "" : "%s  %s".formatted(each.good() ? "ok  " : "MISSED", each.goal());
            table.append("%-32s %12s %-6s %s"
                            .formatted(each.name(), each.value(), each.unit(), goal)
                            .stripTrailing())
                    .append('\n');
        }
        return table.toString();
    }

    String json(String benchmark, Map<String, Object> conditions) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("benchmark", benchmark);
        all.put("good", allGood());
        all.put("conditions", conditions);
        all.put("settings", settings);
        all.put("values", values());
        WireMessage message = () -> all;
        return new String(Json.write(message), StandardCharsets.UTF_8);
    }
}
