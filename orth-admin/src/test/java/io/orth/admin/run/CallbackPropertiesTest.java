package io.orth.admin.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("must-kernel")
class CallbackPropertiesTest {

    private static final String PREFIX = "orth.callback";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, CallbackProperties.class)).isEqualTo(new CallbackProperties(20, 1_000, 20_000));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX, CallbackProperties.class, "concurrency", "3", "batch-size", "7", "capacity", "9"))
                .isEqualTo(new CallbackProperties(3, 7, 9));
    }

    @ParameterizedTest
    @CsvSource({"concurrency, 1", "concurrency, 21", "batch-size, 0", "batch-size, 1001", "capacity, 0"})
    void aBadValueNamesItsKey(String key, String value) {
        Binding.assertRefused(PREFIX, CallbackProperties.class, key, value);
    }

    @ParameterizedTest
    @CsvSource({"4, 2", "5, 2", "20, 10", "39, 19", "100, 20"})
    void leavesHalfOfConnectionsToOthers(int poolSize, int workers) {
        assertThat(new CallbackProperties(20, 1_000, 20_000).workers(poolSize)).isEqualTo(workers);
    }
}
