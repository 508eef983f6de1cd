package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** In which order processes are ended. That real ones are is for {@link ScriptKillTest}. */
class ProcessTreeTest {

    private static final Instant BEGUN = Instant.parse("2030-01-01T12:00:00Z");

    @TempDir
    Path noProcesses;

    private final Set<Long> ended = new LinkedHashSet<>();

    @Test
    void killsParentsFirstDespiteRecycledPids() {
        ProcessHandle grandchild = process(17, BEGUN.plusMillis(20));
        ProcessHandle child = process(16, BEGUN.plusMillis(10));
        ProcessHandle root = process(31, BEGUN, grandchild, child);

        assertThat(tree(root).end(Duration.ofSeconds(3), Duration.ofSeconds(6))).isZero();

        assertThat(ended).containsExactly(31L, 16L, 17L);
    }

    @Test
    void killsSameAgeProcessesByPid() {
        ProcessHandle grandchild = process(32, BEGUN);
        ProcessHandle child = process(31, BEGUN);
        ProcessHandle root = process(30, BEGUN, grandchild, child);

        assertThat(tree(root).end(Duration.ZERO, Duration.ofSeconds(3))).isZero();

        assertThat(ended).containsExactly(30L, 31L, 32L);
    }

    private ProcessTree tree(ProcessHandle root) {
        return new ProcessTree(root, new TaggedProcesses(noProcesses, "tag", "none"));
    }

    /** One that ends as soon as it is asked to. */
    private ProcessHandle process(long pid, Instant birth, ProcessHandle... descendants) {
        ProcessHandle.Info info = fake(ProcessHandle.Info.class, (method, other) -> Optional.of(birth));
        return fake(ProcessHandle.class, (method, other) -> switch (method) {
            case "pid" -> pid;
            case "hashCode" -> Long.hashCode(pid);
            case "equals" -> pid == ((ProcessHandle) other).pid();
            case "compareTo" -> Long.compare(pid, ((ProcessHandle) other).pid());
            case "info" -> info;
            case "descendants" -> Stream.of(descendants);
            case "isAlive" -> !ended.contains(pid);
            case "destroy", "destroyForcibly" -> ended.add(pid);
            default -> throw new UnsupportedOperationException(method);
        });
    }

    private interface Answers {
        Object to(String method, Object argument);
    }

    private static <T> T fake(Class<T> type, Answers answers) {
        Object proxy = Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (self, method, arguments) -> answers.to(method.getName(), arguments == null ? null : arguments[0]));
        return type.cast(proxy);
    }
}
