package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.XxlJobProperties;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-kernel")
class LivenessSettingsTest {

    @Test
    void xxlJobExecutorsAreNotJudgedSoonerThanOthers() {
        assertThatThrownBy(() -> check("14s"))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("orth.xxl-job.silent-after (PT14S)")
                .hasMessageContaining("orth.registry.heartbeat-timeout (PT15S)");
        assertThatCode(() -> check("15s")).doesNotThrowAnyException();
    }

    private static void check(String silentAfter) {
        new LivenessSettings(
                Binding.bind("orth.registry", RegistryProperties.class),
                Binding.bind("orth.xxl-job", XxlJobProperties.class, "silent-after", silentAfter));
    }
}
