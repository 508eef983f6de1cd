package io.orth.admin.pipeline;

import static io.orth.admin.Binding.assertRefused;
import static io.orth.admin.Binding.bind;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.RetryPolicy;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PipelinePropertiesTest {

    private static final String PREFIX = "orth.pipeline";

    @Test
    @Tag("must-first")
    void hasTheseDefaults() {
        PipelineProperties properties = bind(PREFIX, PipelineProperties.class);

        assertThat(properties.lookEvery()).isEqualTo(Duration.ofSeconds(1));
        assertThat(properties.auditEvery()).isEqualTo(Duration.ofMinutes(1));
        assertThat(properties.stuckAfter()).isEqualTo(Duration.ofMinutes(1));
        assertThat(properties.keepRuns()).isEqualTo(Duration.ofDays(90));
        assertThat(properties.outbox().pollEvery()).isEqualTo(Duration.ofMillis(500));
        assertThat(properties.outbox().maxAttempts()).isEqualTo(10);
        assertThat(properties.outbox().lease()).isEqualTo(Duration.ofMinutes(5));
        assertThat(properties.outbox().keepSent()).isEqualTo(Duration.ofHours(1));
        assertThat(properties.outbox().batchSize()).isEqualTo(1_000);
        assertThat(properties.outbox().retry())
                .isEqualTo(new RetryPolicy(10, Backoff.doubling(Duration.ofSeconds(1), Duration.ofMinutes(5))));
        assertThat(properties.webhooks()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "look-every, 0s",
        "audit-every, 0s",
        "stuck-after, 0s",
        "keep-runs, 0s",
        "outbox.poll-every, 0s",
        "outbox.batch-size, 0",
        "outbox.max-attempts, 0",
        "outbox.backoff.initial-delay, 0s",
        "outbox.backoff.multiplier, 101",
        "outbox.backoff.max-delay, 31d",
        "outbox.backoff.jitter, NaN",
        "outbox.lease, 0s",
        "outbox.keep-sent, -1s"
    })
    void aBadValueNamesItsKey(String key, String value) {
        assertRefused(PREFIX, PipelineProperties.class, key, value);
    }

    @Test
    void webhookNeedsUrlSecretAndTimeoutBelowLease() {
        assertThatThrownBy(() -> bind(PREFIX, PipelineProperties.class, "webhooks.a.url", "http://h/"))
                .rootCause()
                .hasMessageContaining("orth.pipeline.webhooks.a.secret");
        assertThatThrownBy(() -> bind(PREFIX, PipelineProperties.class, "webhooks.a.secret", "s"))
                .rootCause()
                .hasMessageContaining("orth.pipeline.webhooks.a.url");
        assertThatThrownBy(() -> bind(
                        PREFIX,
                        PipelineProperties.class,
                        "webhooks.a.url",
                        "http://h/",
                        "webhooks.a.secret",
                        "s",
                        "webhooks.a.timeout",
                        "1m"))
                .rootCause()
                .hasMessageContaining("orth.pipeline.webhooks.a.timeout");
    }
}
