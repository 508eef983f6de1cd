package io.orth.admin.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ToleranceTest {

    @ParameterizedTest
    @CsvSource({
        "ALL, 0, 10, true",
        "ALL, 1, 10, false",
        "ALWAYS, 10, 10, true",
        "2, 2, 10, true",
        "2, 3, 10, false",
        "10%, 1, 10, true",
        "10%, 2, 10, false",
        "10%, 1, 9, false",
        "0%, 0, 0, true"
    })
    void toleratesFailuresUpToLimit(String text, long failed, long of, boolean bears) {
        assertThat(new Tolerance(text).bears(failed, of)).isEqualTo(bears);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "some", "-1", "101%", "1.5", "10 %"})
    void rejectsInvalidText(String text) {
        assertThatThrownBy(() -> new Tolerance(text)).hasMessageContaining("tolerance");
    }
}
