package io.orth.admin.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.Binding;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class OrthPropertiesTest {

    private static final String PREFIX = "orth";

    @Test
    void hasTheseDefaults() {
        assertThat(Binding.bind(PREFIX, OrthProperties.class))
                .isEqualTo(new OrthProperties(Path.of("orth-data"), "", OrthProperties.Lifeline.NONE));
    }

    @Test
    void everyKeyIsRead() {
        assertThat(Binding.bind(
                        PREFIX,
                        OrthProperties.class,
                        "data-dir",
                        "/var/orth",
                        "environment",
                        "production",
                        "lifeline",
                        "stdin"))
                .isEqualTo(new OrthProperties(Path.of("/var/orth"), "production", OrthProperties.Lifeline.STDIN));
    }

    @Test
    void aBadValueNamesItsKey() {
        assertThatThrownBy(() -> Binding.bind(PREFIX, OrthProperties.class, "lifeline", "rope"))
                .hasMessageContaining("orth.lifeline");
    }
}
