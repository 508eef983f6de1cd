package io.orth.bench.schedule;

import io.orth.bench.installation.BenchDatabase;
import io.orth.bench.installation.BenchProgram;
import io.orth.bench.installation.Patience;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** A scheduling library inside a program of its own. */
final class PeerContender implements Contender {

    private final Class<?> main;
    private final BenchDatabase.Place database;
    private final Path directory;
    private final Path seen;
    private BenchProgram program;

    PeerContender(Class<?> main, BenchDatabase.Place database, Path directory) {
        this.main = main;
        this.database = database;
        this.directory = directory;
        this.seen = directory.resolve("seen");
    }

    @Override
    public void fire(int jobs, Instant first) throws Exception {
        Path ready = directory.resolve("ready");
        program = BenchProgram.ofClass(
                main,
                directory.resolve("program.log"),
                Map.of("PGPASSWORD", database.password()),
                database.url(),
                database.user(),
                Integer.toString(jobs),
                first.toString(),
                seen.toString(),
                ready.toString());
        Patience.await("program", Duration.ofMinutes(2), () -> {
            program.checkAlive();
            return Files.exists(ready);
        });
    }

    @Override
    public Sightings stop() throws Exception {
        program.close();
        return Sightings.read(seen);
    }

    @Override
    public void close() {
        if (program != null) {
            program.close();
        }
    }
}
