package io.orth.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("must-first")
class BenchTest {

    static Set<String> benchmarks() {
        return Bench.CASES.keySet();
    }

    @ParameterizedTest
    @MethodSource("benchmarks")
    void eachBenchmarkDescribesItsSizesAndRounds(String name) {
        Map<String, Object> settings = Bench.described(Bench.CASES.get(name).apply(Path.of("admin.jar")))
                .settings();

        assertThat(settings)
                .containsEntry("form", "full")
                .containsKey("repeats")
                .hasSizeGreaterThan(3);
        assertThat((Integer) settings.get("repeats")).isPositive();
    }

    @Test
    void theMedianIsTheRoundInTheMiddle() {
        assertThat(Rounds.median(List.of(9, 1, 5), Integer::doubleValue)).isEqualTo(5);
    }
}
