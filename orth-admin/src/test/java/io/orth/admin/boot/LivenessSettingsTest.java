package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import io.orth.admin.kernel.Liveness;
import io.orth.admin.registry.RegistryProperties;
import io.orth.admin.registry.XxlJobProperties;
import io.orth.runtime.Duty;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("must-kernel")
class LivenessSettingsTest {

    @Test
    void rejectsXxlJobTimeoutBelowHeartbeatTimeout() {
        assertThatThrownBy(() -> check("14s"))
                .isInstanceOf(StartFailure.class)
                .hasMessageContaining("orth.xxl-job.silent-after (PT14S)")
                .hasMessageContaining("orth.registry.heartbeat-timeout (PT15S)");
        assertThatCode(() -> check("15s")).doesNotThrowAnyException();
    }

    /** The time an admin waits before it declares executors dead, with a bound setting and the bean created from it. */
    @ParameterizedTest
    @ValueSource(ints = {5, 7, 20})
    void howLongAnAdminMustBeHealthyFollowsFromTheHeartbeatInterval(int interval) {
        AtomicLong seconds = new AtomicLong();
        RegistryProperties registry =
                Binding.bind("orth.registry", RegistryProperties.class, "heartbeat-interval", interval + "s");
        Liveness liveness = new KernelConfiguration()
                .liveness(() -> TimeUnit.SECONDS.toNanos(seconds.get()), registry.heartbeats());

        while (!liveness.mayJudge()) {
            seconds.incrementAndGet();
            liveness.passed("node-lease", Duty.Pass.DRAINED);
        }

        assertThat(seconds.get()).isEqualTo(3L * interval);
    }

    private static void check(String silentAfter) {
        new LivenessSettings(
                Binding.bind("orth.registry", RegistryProperties.class),
                Binding.bind("orth.xxl-job", XxlJobProperties.class, "silent-after", silentAfter));
    }
}
