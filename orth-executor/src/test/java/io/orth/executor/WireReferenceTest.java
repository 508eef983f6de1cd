package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.AdminPaths;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The reference of the wire names every path and header there is. */
class WireReferenceTest {

    @ParameterizedTest
    @ValueSource(classes = {AdminPaths.class, ExecutorPaths.class, Headers.class})
    void namesEveryConstant(Class<?> constants) throws Exception {
        String reference = Files.readString(Path.of("../docs/reference/wire.md"));

        assertThat(constants.getFields()).isNotEmpty();
        for (Field constant : constants.getFields()) {
            assertThat(reference).contains("`" + constant.get(null) + "`");
        }
    }
}
