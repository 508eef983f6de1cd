package io.orth.bench.queue;

import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.BenchProgram;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A library in an application of its own, which says how fast it was. */
final class DrainPeer implements AutoCloseable {

    private final BenchProgram program;
    private final Path said;

    private DrainPeer(BenchProgram program, Path said) {
        this.program = program;
        this.said = said;
    }

    static DrainPeer start(Class<?> main, BenchDatabase.Place database, Path directory, int warmUp, int messages)
            throws Exception {
        Path said = directory.resolve("said");
        return new DrainPeer(
                BenchProgram.ofClass(
                        main,
                        directory.resolve("program.log"),
                        Map.of("PGPASSWORD", database.password()),
                        database.url(),
                        database.user(),
                        Integer.toString(warmUp),
                        Integer.toString(messages),
                        said.toString()),
                said);
    }

    double perSecond(Duration limit) throws Exception {
        Patience.await("program", limit, () -> {
            if (!Files.exists(said)) {
                program.checkAlive();
            }
            return Files.exists(said) && !Files.readString(said).isBlank();
        });
        return Double.parseDouble(Files.readString(said).strip());
    }

    @Override
    public void close() {
        program.close();
    }
}
