package io.orth.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The reference of the configuration lists exactly the properties there are, with their defaults. */
class ConfigurationReferenceTest {

    private static final Pattern ROW = Pattern.compile(
            "^\\| `(orth\\.(?:executor|client)\\.[a-z0-9.-]+)` \\|[^|]*\\| ([^|]+) \\|", Pattern.MULTILINE);

    @Test
    void listsEveryPropertyAndNoOther() throws IOException {
        assertThat(rows().stream().map(row -> row.group(1)))
                .containsExactlyInAnyOrderElementsOf(properties().stream()
                        .map(property -> property.text("name"))
                        .toList());
    }

    @Test
    void givesTheDefaults() throws IOException {
        for (JsonObject property : properties()) {
            String name = property.text("name");
            String documented = rows().stream()
                    .filter(row -> row.group(1).equals(name))
                    .map(row -> row.group(2))
                    .findFirst()
                    .orElseThrow();

            assertThat(property.text("description")).as(name).isNotBlank();
            if (property.has("defaultValue") && documented.startsWith("`")) {
                assertThat(documented).as(name).isEqualTo("`" + property.text("defaultValue") + "`");
            }
        }
    }

    private static List<MatchResult> rows() throws IOException {
        return ROW.matcher(Files.readString(Path.of("../docs/reference/executor-configuration.md")))
                .results()
                .toList();
    }

    private static List<JsonObject> properties() throws IOException {
        try (InputStream in =
                OrthExecutorProperties.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return Json.readObject(in.readAllBytes()).objects("properties");
        }
    }
}
