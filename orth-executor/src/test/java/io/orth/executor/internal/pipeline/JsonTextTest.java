package io.orth.executor.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-pipelines")
class JsonTextTest {

    private record Inner(Optional<String> name, List<Integer> numbers) {}

    private record Outer(Inner inner, Instant at, Duration took, TimeUnit unit, Object nothing) {}

    private final JsonText json = new JsonText(UnaryOperator.identity());

    @Test
    void writesRecordsMapsListsAndValuesWithoutNulls() {
        Outer value = new Outer(
                new Inner(Optional.empty(), List.of(1, 2)),
                Instant.parse("2030-01-01T00:00:00Z"),
                Duration.ofSeconds(3),
                TimeUnit.DAYS,
                null);

        assertThat(json.of(Arrays.asList(value, "a", 1.5, true, null)))
                .isEqualTo("[{\"inner\":{\"numbers\":[1,2]},\"at\":\"2030-01-01T00:00:00Z\",\"took\":\"PT3S\","
                        + "\"unit\":\"DAYS\"},\"a\",1.5,true,null]");
    }

    @Test
    void replacesCharactersThatDatabasesReject() {
        assertThat(json.of(Map.of("a\0", "b\0\ud800"))).isEqualTo("{\"a\ufffd\":\"b\ufffd\ufffd\"}");
    }

    @Test
    void rejectsValuesThatAreNotJson() {
        Map<String, Object> itself = new LinkedHashMap<>();
        itself.put("self", itself);

        assertThatThrownBy(() -> json.of(new Object())).hasMessageStartingWith("java.lang.Object cannot be written");
        assertThatThrownBy(() -> json.of(Double.NaN)).hasMessage("NaN cannot be written as JSON");
        assertThatThrownBy(() -> json.of(itself)).hasMessage("it is nested deeper than 32 levels");
    }
}
