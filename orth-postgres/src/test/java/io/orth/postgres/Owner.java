package io.orth.postgres;

import java.io.IOException;
import java.nio.file.Path;

/** A program that owns a server until its input ends: what another process with an embedded server looks like. */
final class Owner {

    private Owner() {}

    public static void main(String[] args) throws IOException {
        EmbeddedPostgresOptions options = EmbeddedPostgresOptions.in(Path.of(args[0]));
        if (args.length > 1) {
            options = options.withBinariesIn(Path.of(args[1]));
        }
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start(options)) {
            System.out.println("started " + postgres.jdbcUrl());
            while (System.in.read() != -1) {
                // Only the end counts.
            }
        } catch (EmbeddedPostgresException e) {
            System.out.println("refused " + e.getMessage());
        }
        System.out.println("ended");
    }
}
