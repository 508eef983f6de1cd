package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceIdTest {

    @Test
    void takesTheTraceOfTheCaller() {
        assertThat(TraceId.fromHeader("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"))
                .contains("4bf92f3577b34da6a3ce929d0e0e4736");
        assertThat(TraceId.fromHeader("cc-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-what-comes-later"))
                .contains("4bf92f3577b34da6a3ce929d0e0e4736");
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(
            strings = {
                "",
                "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
                "00-<script>alert(1)</script>aaaaaaa-00f067aa0ba902b7-01"
            })
    void rejectsInvalidTraceparent(String header) {
        assertThat(TraceId.fromHeader(header)).isEmpty();
    }
}
