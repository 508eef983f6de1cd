package io.orth.executor.internal.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogPrunerTest {

    @TempDir
    Path directory;

    @Test
    void deletesDaysPastTheirRetentionAndNothingElse() throws IOException {
        Path old = day("2029-12-30");
        Path lastKept = day("2029-12-31");
        Path today = day("2030-01-02");
        Path notADay = day("2029-99-99");
        Path callbacks = day("callbacklog");
        Path file = Files.writeString(directory.resolve("2000-01-01"), "not a directory");

        pruner("2030-01-02T00:00:00Z").run();

        assertThat(old).doesNotExist();
        assertThat(lastKept).exists();
        assertThat(today).exists();
        assertThat(notADay).exists();
        assertThat(callbacks).exists();
        assertThat(file).exists();
    }

    @Test
    void aDayThatCannotBeDeletedDoesNotKeepTheOthers() throws IOException {
        Path stuck = day("2029-01-01");
        Files.createDirectories(stuck.resolve("full/of/things"));
        Path old = day("2029-01-02");

        pruner("2030-01-02T00:00:00Z").run();

        assertThat(stuck).exists();
        assertThat(old).doesNotExist();
    }

    private RunLogPruner pruner(String now) {
        return new RunLogPruner(directory, Clock.fixed(Instant.parse(now), ZoneOffset.UTC), 2);
    }

    private Path day(String name) throws IOException {
        Path day = Files.createDirectory(directory.resolve(name));
        Files.writeString(day.resolve("1.log"), "text");
        return day;
    }
}
