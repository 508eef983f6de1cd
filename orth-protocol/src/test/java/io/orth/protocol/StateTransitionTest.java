package io.orth.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.orth.protocol.StateTransition.Executor;
import io.orth.protocol.StateTransition.Work;
import io.orth.protocol.StateTransition.Writer;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateTransitionTest {

    private static final Instant AT = Instant.parse("2026-11-16T03:00:00.123456Z");

    @Test
    void lineStartsWithIdAndEqualsTheTree() {
        assertSame(new StateTransition(
                "RUN",
                Long.MAX_VALUE,
                3,
                "PENDING",
                "SUCCESS",
                AT,
                15L,
                "CALLBACK",
                new Work(7, "night \"report\"\n报表", "handler", 2, AT, 41L),
                new Writer("node", "host", 4711, "1.0", "callback-intake-1"),
                new Executor(9, "instance", "host", 12, "http://127.0.0.1:9999/"),
                "trace"));
    }

    @Test
    void omitsUnknownFields() {
        assertSame(
                new StateTransition("JOB", 1, 1, null, "ENABLED", AT, null, "CREATED", Work.UNKNOWN, null, null, null));
    }

    private static void assertSame(StateTransition transition) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("id", "7.3");
        tree.putAll(transition.toJson());

        byte[] lines = StateTransition.toJsonLines(List.of("7.3", "7.3"), id -> id, id -> transition);

        String line = new String(Json.write((Object) tree), UTF_8) + "\n";
        assertThat(new String(lines, UTF_8)).isEqualTo(line + line);
        assertThat(StateTransition.from(Json.readObject(line.getBytes(UTF_8)))).isEqualTo(transition);
    }
}
