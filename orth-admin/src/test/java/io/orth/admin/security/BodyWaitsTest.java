package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.security.BodyWaits.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("must-first")
class BodyWaitsTest {

    private final BodyWaits waits = new BodyWaits(200, () -> 0);

    /** As many as there may be, each from a network of its own. */
    private List<BodyWaits.Wait> all(Caller caller) {
        List<BodyWaits.Wait> begun = new ArrayList<>();
        for (int i = 0; ; i++) {
            Optional<BodyWaits.Wait> wait = waits.begin(caller, "10.0.0." + i);
            if (wait.isEmpty()) {
                return begun;
            }
            begun.add(wait.get());
        }
    }

    @ParameterizedTest
    @EnumSource
    void eachKindOfCallerHasAShareOfTheThreads(Caller caller) {
        List<BodyWaits.Wait> held = all(caller);

        assertThat(held).hasSize(80);
        for (Caller other : Caller.values()) {
            assertThat(waits.begin(other, "10.1.1.1").isPresent()).isEqualTo(other != caller);
        }
        held.get(0).close();
        assertThat(waits.begin(caller, "10.1.1.2")).isPresent();
        assertThat(waits.begin(caller, "10.1.1.3")).isEmpty();
    }

    @Test
    void finishedWaitsNoLongerCount() {
        for (int round = 0; round < 3; round++) {
            List<BodyWaits.Wait> held = all(Caller.ANONYMOUS);
            assertThat(held).hasSize(80);
            held.forEach(BodyWaits.Wait::close);
        }
    }

    @Test
    void oneUnauthenticatedNetworkHasHalfTheShare() {
        List<BodyWaits.Wait> held = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            held.add(waits.begin(Caller.ANONYMOUS, "2001:db8::" + Integer.toHexString(i))
                    .orElseThrow());
        }

        assertThat(waits.begin(Caller.ANONYMOUS, "2001:db8::ffff")).isEmpty();
        assertThat(waits.begin(Caller.ANONYMOUS, "2001:db8:1::1")).isPresent();
        held.get(0).close();
        assertThat(waits.begin(Caller.ANONYMOUS, "2001:db8::ffff")).isPresent();
        assertThat(waits.begin(Caller.ANONYMOUS, "2001:db8::ffff")).isEmpty();
    }

    @Test
    void aServerWithFewThreadsHasOneForEach() {
        BodyWaits few = new BodyWaits(1, () -> 0);

        assertThat(few.begin(Caller.USER, "10.0.0.1")).isPresent();
        assertThat(few.begin(Caller.USER, "10.0.0.1")).isEmpty();
    }
}
