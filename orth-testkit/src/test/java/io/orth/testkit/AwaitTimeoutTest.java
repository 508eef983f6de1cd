package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-first")
class AwaitTimeoutTest {

    private static final Path ROOT = Path.of("..");
    private static final int DEPTH_OF_MODULES = 3;
    private static final Pattern WITHOUT_LIMIT = Pattern.compile("\\bawait\\(\\)\\s*\\.(?!atMost)");

    @Test
    void aConditionWithoutALimitIsAwaitedForAMinute() {
        AtomicLong remaining = new AtomicLong();

        await().conditionEvaluationListener(condition -> remaining.set(condition.getRemainingTimeInMS()))
                .until(() -> true);

        assertThat(remaining.get()).isBetween(20_000L, AwaitTimeout.LIMIT.toMillis());
    }

    /** The test kit itself uses the module of the embedded server, whose tests therefore cannot use the kit. */
    @Test
    void everyModuleThatAwaitsUsesTheTestKitOrSaysHowLong() throws IOException {
        try (Stream<Path> poms = Files.find(
                ROOT,
                DEPTH_OF_MODULES,
                (path, file) -> path.getFileName().toString().equals("pom.xml"))) {
            assertThat(poms.filter(pom -> read(pom).contains("<artifactId>awaitility</artifactId>"))
                            .filter(pom -> !read(pom).contains("<artifactId>orth-testkit</artifactId>"))
                            .flatMap(pom -> awaitingWithoutLimit(pom.getParent()).stream()))
                    .isEmpty();
        }
    }

    private static List<Path> awaitingWithoutLimit(Path module) {
        try (Stream<Path> files = Files.walk(module.resolve("src"))) {
            return files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> WITHOUT_LIMIT.matcher(read(file)).find())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
