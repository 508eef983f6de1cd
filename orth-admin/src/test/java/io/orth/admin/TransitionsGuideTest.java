package io.orth.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.kernel.EntityKind;
import io.orth.protocol.Json;
import io.orth.protocol.StateTransition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The examples in the guide are transitions that Orth can report. */
class TransitionsGuideTest {

    private static final Path GUIDE = Path.of("..", "docs", "guides", "transitions.md");

    @Test
    void examplesAreTransitionsAlongExistingEdges() throws IOException {
        List<String> examples = Files.readAllLines(GUIDE).stream()
                .filter(line -> line.startsWith("{\"id\":"))
                .toList();

        assertThat(examples).hasSize(2).allSatisfy(example -> {
            StateTransition transition = StateTransition.from(Json.readObject(example.getBytes(UTF_8)));
            assertThat(new String(Json.write(transition), UTF_8))
                    .isEqualTo(example.replaceFirst("\"id\":\"[0-9.]+\",", ""));
            assertThat(StateMachines.edges())
                    .contains(new StateMachines.Edge(
                            EntityKind.valueOf(transition.entity()), transition.from(), transition.to()));
        });
    }
}
