package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.ReferencePage;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class ConfigurationReferenceTest {

    @Test
    void theReferenceListsEveryKeyWithItsDefault() throws IOException {
        List<List<String>> rows = ReferencePage.rows("configuration.md");

        assertThat(rows).allSatisfy(row -> assertThat(row.get(3)).isNotBlank());
        assertThat(new TreeMap<>(rows.stream().collect(Collectors.toMap(row -> row.get(0), row -> row.get(2)))))
                .isEqualTo(keys());
    }

    private static Map<String, String> keys() throws IOException {
        Map<String, String> keys = new TreeMap<>();
        for (JsonNode property : metadata().path("properties")) {
            keys.put(
                    property.path("name").asString(),
                    property.path("defaultValue").asString(""));
        }
        return keys;
    }

    private static JsonNode metadata() throws IOException {
        try (InputStream file = OrthAdmin.class.getResourceAsStream("/META-INF/spring-configuration-metadata.json")) {
            return JsonMapper.builder().build().readTree(file);
        }
    }
}
