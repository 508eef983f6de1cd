package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.OrthException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("must-first")
class JobTextTest {

    private final JobText text = new JobText(JsonMapper.builder().build());

    private JsonNode read(String yaml) {
        return text.readYaml(yaml.getBytes(StandardCharsets.UTF_8));
    }

    static Stream<Arguments> bombs() {
        return Stream.of(
                Arguments.of("aliases of aliases", aliases(100_000 / 2, 6), "more than 100000 values"),
                Arguments.of("small aliases of aliases", aliases(3, 40), "more than 100000 values"),
                Arguments.of("many values", "[" + "1,".repeat(100_001) + "1]", "more than 100000 values"),
                Arguments.of("itself", "&a [*a]", "alias a repeats nothing that ends before it"),
                Arguments.of("itself in a map", "x: &a {y: *a}", "alias a repeats nothing that ends before it"),
                Arguments.of("itself as a key", "&a {? *a : b}", "alias a repeats nothing that ends before it"),
                Arguments.of("itself by an old name", "[&a 1, &a [*a]]", "alias a repeats nothing that ends before it"),
                Arguments.of("nothing", "[*a]", "alias a repeats nothing that ends before it"),
                Arguments.of("deep", "[".repeat(100_000), "nested more than 64 deep"),
                Arguments.of("deep by lines", deepByLines(), "nested more than 64 deep"),
                Arguments.of("deep by aliases", deepByAliases(), "nested more than 64 deep"),
                Arguments.of(
                        "a long number", "n: !!int " + "9".repeat(2_000_000), "more than 100 characters with a tag"));
    }

    /** Each alias stands for three of the one before it. */
    private static String aliases(int first, int levels) {
        StringBuilder yaml = new StringBuilder("a0: &a0 [" + "1,".repeat(first) + "1]\n");
        for (int i = 1; i <= levels; i++) {
            yaml.append("a%d: &a%d [*a%d,*a%d,*a%d]%n".formatted(i, i, i - 1, i - 1, i - 1));
        }
        return yaml.toString();
    }

    private static String deepByLines() {
        StringBuilder yaml = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            yaml.append(" ".repeat(i)).append("a:\n");
        }
        return yaml.toString();
    }

    private static String deepByAliases() {
        return IntStream.range(1, 20)
                .mapToObj(i -> "a%d: &a%d [[[[[[*a%d]]]]]]%n".formatted(i, i, i - 1))
                .reduce("a0: &a0 [1]\n", String::concat);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bombs")
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void rejectsExpandingYaml(String name, String yaml, String why) {
        assertThatThrownBy(() -> read(yaml))
                .isInstanceOf(OrthException.class)
                .hasMessageStartingWith("file is not valid YAML: line ")
                .hasMessageContaining(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9", "1:", "1_", "-.", "0x1"})
    @Timeout(value = 2, unit = TimeUnit.MINUTES)
    void takesALongRowOfDigitsForText(String part) {
        String digits = part.repeat(500_000) + "1";

        assertThat(read("n: " + digits).path("n").asString()).isEqualTo(digits);
    }

    @Test
    void readsAliasesOfAReasonableSize() {
        JsonNode read = read("retry: &r {first: 1s, most: [1, 2]}\nstages: [{retry: *r}, {retry: *r}]");

        assertThat(read.toString())
                .isEqualTo(
                        "{\"retry\":{\"first\":\"1s\",\"most\":[1,2]},"
                                + "\"stages\":[{\"retry\":{\"first\":\"1s\",\"most\":[1,2]}},{\"retry\":{\"first\":\"1s\",\"most\":[1,2]}}]}");
    }

    @Test
    void readsAsManyValuesAsAreAllowed() {
        assertThat(read("[" + "1,".repeat(YamlSize.MAX_NODES - 2) + "1]")).hasSize(YamlSize.MAX_NODES - 1);
    }

    @Test
    void writesRepeatedValuesWithoutAnchors() {
        List<Integer> same = new ArrayList<>(List.of(1));

        assertThat(new String(text.writeYaml(Map.of("a", List.of(same, same))), StandardCharsets.UTF_8))
                .doesNotContain("&", "*");
    }
}
