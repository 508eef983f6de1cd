package io.orth.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.Version;
import java.io.IOException;
import java.net.URL;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Dependencies that the starter adds to an application with Spring Boot's own parent. */
@Tag("must-first")
class ClassPathTest {

    @Test
    void allOfNettyIsOfOneVersion() {
        assertThat(Version.identify().values().stream()
                        .map(Version::artifactVersion)
                        .collect(Collectors.toSet()))
                .hasSize(1);
    }

    @Test
    void noClassOfNettyIsThereTwice() throws IOException {
        List<URL> found = Collections.list(
                getClass().getClassLoader().getResources("io/netty/handler/codec/ByteToMessageDecoder.class"));

        assertThat(found).hasSize(1);
    }
}
