package io.orth.executor.internal.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-pipelines")
class ChildrenTest {

    private final Children children = new Children(new JsonText(UnaryOperator.identity()));

    @Test
    void namesInvalidFieldOfAChild() {
        assertRejected("no spaces", "1", null, Map.of(), "the child's targetType must be 1 to 64 letters");
        assertRejected("topic", "", null, Map.of(), "the child's targetId must be 1 to 200 characters");
        assertRejected("topic", "1\0", null, Map.of(), "the child's targetId must be 1 to 200 characters");
        assertRejected("topic", "x".repeat(201), null, Map.of(), "the child's targetId must be 1 to 200 characters");
        assertRejected("topic", "1", "x".repeat(8_191), Map.of(), "the child's params must be at most 8192 bytes");
        assertRejected("topic", "1", new Object(), Map.of(), "the child's params are no JSON");
        assertRejected("topic", "1", null, Map.of("a", "x".repeat(257)), "the child's meta must be at most 20 texts");
        Map<String, String> many = IntStream.range(0, 21).boxed().collect(Collectors.toMap(i -> "k" + i, i -> "v"));
        assertRejected("topic", "1", null, many, "the child's meta must be at most 20 texts");
        assertThat(children.all()).isEmpty();
    }

    @Test
    void takesNoMoreThanAnAdminWould() {
        for (int i = 0; i < 10_000; i++) {
            children.add("topic", Integer.toString(i), null, Map.of());
        }
        children.add("topic", "7", null, Map.of());

        assertThat(children.all()).hasSize(10_000);
        assertRejected("topic", "one more", null, Map.of(), "a task proposes at most 10000 children");
    }

    @Test
    void takesNoMoreBytesThanFitInARequest() {
        String params = "x".repeat(8_000);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 600; i++) {
                        children.add("topic", Integer.toString(i), params, Map.of());
                    }
                })
                .hasMessage("a task proposes at most 10000 children with 4194304 bytes in all");
    }

    private void assertRejected(String type, String id, Object params, Map<String, String> meta, String message) {
        assertThatThrownBy(() -> children.add(type, id, params, meta))
                .isInstanceOf(TaskProblem.class)
                .hasMessageStartingWith(message);
    }
}
