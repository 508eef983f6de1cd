package io.orth.bench.queue;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The command line of a library's application: the database and its user, how many to warm up and measure with, where to say. */
record PeerDatabase(String url, String user, int warmUp, int messages, Path said) {

    /** Enough on a few cores; more made no library faster. */
    static final int THREADS = 40;

    static final int CONNECTIONS = THREADS + 10;

    static PeerDatabase of(String[] arguments) {
        return new PeerDatabase(
                arguments[0],
                arguments[1],
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]),
                Path.of(arguments[4]));
    }

    HikariDataSource connect() {
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setUsername(user);
        config.setPassword(System.getenv("PGPASSWORD"));
        config.setMaximumPoolSize(CONNECTIONS);
        return new HikariDataSource(config);
    }

    void say(double perSecond) throws IOException {
        Path draft = said.resolveSibling("draft");
        Files.writeString(draft, Double.toString(perSecond));
        Files.move(draft, said, StandardCopyOption.ATOMIC_MOVE);
    }
}
