package io.orth.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesTest {

    @TempDir
    Path directory;

    @Test
    void severalStartersShareOneUnpackedCopy() throws Exception {
        Path abandoned = Files.createDirectory(directory.resolve(".unpacking-999999999-0"));
        Files.writeString(abandoned.resolve("half"), "a file");
        ExecutorService starters = Executors.newFixedThreadPool(2);
        try {
            List<Future<Binaries>> unpacked = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                unpacked.add(starters.submit(() -> Binaries.unpacked(Platform.current(), directory)));
            }
            Binaries first = unpacked.get(0).get();

            assertThat(unpacked.get(1).get()).isEqualTo(first);
            assertThat(Path.of(first.program("postgres"))).isExecutable();
            assertThat(first.version()).startsWith(first.majorVersion() + ".");
            try (Stream<Path> entries = Files.list(directory)) {
                assertThat(entries).as("nothing half-made stays").hasSize(1);
            }
        } finally {
            starters.shutdownNow();
        }
    }
}
