package io.orth.admin.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class SetupCodeTest {

    private final ManualClock clock = ManualClock.at("2030-01-01T12:00:00Z");
    private final List<String> announced = new ArrayList<>();
    private final SetupCode code = new SetupCode(clock, announced::add);

    @Test
    void isAnnouncedInGroupsThatCanBeReadAloud() {
        code.ensure();
        code.ensure();

        assertThat(announced).singleElement().asString().matches("([A-HJKMNP-TV-Z2-9]{4}-){2}[A-HJKMNP-TV-Z2-9]{4}");
    }

    @Test
    void acceptsCodeInAnyCaseAndSpacing() {
        code.ensure();

        assertThat(code.use(" " + latest().toLowerCase(Locale.ROOT).replace("-", " ")))
                .isTrue();
    }

    @Test
    void worksOnce() {
        code.ensure();
        String used = latest();

        assertThat(code.use(used)).isTrue();
        assertThat(code.use(used)).isFalse();
    }

    @Test
    void expiresAfterFifteenMinutes() {
        code.ensure();
        String old = latest();

        clock.advance(Duration.ofMinutes(15).minusMillis(1));
        code.ensure();
        assertThat(announced).hasSize(1);
        clock.advance(Duration.ofMillis(1));

        assertThat(code.use(old)).isFalse();
        assertThat(announced).hasSize(2);
        assertThat(code.use(latest())).isTrue();
    }

    @Test
    void isReplacedAfterTenWrongAttempts() {
        code.ensure();
        String guessedAt = latest();

        for (int i = 0; i < 10; i++) {
            assertThat(code.use("WRONG-" + i)).isFalse();
        }

        assertThat(announced).hasSize(2);
        assertThat(code.use(guessedAt)).isFalse();
        assertThat(code.use(latest())).isTrue();
    }

    private String latest() {
        return announced.get(announced.size() - 1);
    }
}
