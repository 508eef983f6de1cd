package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import org.junit.jupiter.api.Test;

class InstallationPropertiesTest {

    private static final String PREFIX = "orth.installation";

    @Test
    void startsLiveByDefault() {
        assertThat(Binding.bind(PREFIX, InstallationProperties.class)).isEqualTo(new InstallationProperties(false));
        assertThat(Binding.bind(PREFIX, InstallationProperties.class, "start-paused", "true"))
                .isEqualTo(new InstallationProperties(true));
    }

    @Test
    void aBadValueNamesItsKey() {
        assertThatThrownBy(() -> Binding.bind(PREFIX, InstallationProperties.class, "start-paused", "perhaps"))
                .hasMessageContaining("orth.installation.start-paused");
    }
}
