package io.orth.bench.schedule;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;

/** The command line of a peer's program. */
record PeerOptions(String url, String user, String password, int jobs, Instant first, Path seen, Path ready) {

    /** Enough for either library on a few cores; more made neither faster. */
    static final int THREADS = 40;

    static PeerOptions of(String[] arguments) {
        return new PeerOptions(
                arguments[0],
                arguments[1],
                System.getenv("PGPASSWORD"),
                Integer.parseInt(arguments[2]),
                Instant.parse(arguments[3]),
                Path.of(arguments[4]),
                Path.of(arguments[5]));
    }

    HikariDataSource dataSource() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(password);
        config.setMaximumPoolSize(THREADS + 10);
        return new HikariDataSource(config);
    }

    void sayReady() throws IOException {
        Files.createFile(ready);
    }
}
