package io.orth.admin.boot;

import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import java.io.IOException;
import java.nio.file.Path;

/** A program that watches its embedded database until its input ends, and then stops watching before it stops that. */
final class WatchedDatabase {

    static final int STOPPED_IN_ORDER = 7;

    private WatchedDatabase() {}

    /** Arguments: the directory of the database, that of its programs. */
    public static void main(String[] args) throws IOException {
        EmbeddedPostgres postgres = EmbeddedPostgres.start(EmbeddedPostgresOptions.in(Path.of(args[0]))
                .withBinariesIn(Path.of(args[1]))
                .withoutDurability());
        EmbeddedDatabaseWatch watch = new EmbeddedDatabaseWatch(postgres);
        watch.start();
        System.out.println("watching");
        while (System.in.read() != -1) {
            // Only the end counts.
        }
        watch.stop();
        postgres.stop();
        postgres.ended().join();
        System.exit(STOPPED_IN_ORDER);
    }
}
