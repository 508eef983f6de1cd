package io.orth.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("must-queues")
class DeadLetterPropertiesTest {

    private static final String PREFIX = "orth.dead-letters";

    @Test
    void retriesPerSecondHasDefault() {
        assertThat(Binding.bind(PREFIX, DeadLetterProperties.class)).isEqualTo(new DeadLetterProperties(2_000));
        assertThat(Binding.bind(PREFIX, DeadLetterProperties.class, "retries-per-second", "50"))
                .isEqualTo(new DeadLetterProperties(50));
    }

    @ParameterizedTest
    @CsvSource({"retries-per-second,0", "retries-per-second,-1", "retries-per-second,1000001"})
    void rejectsInvalidValue(String key, String value) {
        Binding.assertRefused(PREFIX, DeadLetterProperties.class, key, value);
    }
}
