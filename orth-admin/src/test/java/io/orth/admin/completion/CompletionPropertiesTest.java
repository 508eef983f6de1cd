package io.orth.admin.completion;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.Binding;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class CompletionPropertiesTest {

    private static final String PREFIX = "orth.completion";

    @Test
    void lateGraceHasDefaultAndRejectsBadValue() {
        assertThat(Binding.bind(PREFIX, CompletionProperties.class))
                .isEqualTo(new CompletionProperties(Duration.ofSeconds(30)));
        assertThat(Binding.bind(PREFIX, CompletionProperties.class, "late-grace", "0s"))
                .isEqualTo(new CompletionProperties(Duration.ZERO));
        Binding.assertRefused(PREFIX, CompletionProperties.class, "late-grace", "-1s");
    }
}
