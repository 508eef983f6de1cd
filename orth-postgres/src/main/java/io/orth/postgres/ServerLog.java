package io.orth.postgres;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Copies a server's output to a file, and detects readiness and fatal errors. */
final class ServerLog {

    private static final Logger log = LoggerFactory.getLogger(ServerLog.class);
    private static final String READY = "database system is ready to accept";
    private static final String PORT_TAKEN = "could not bind";

    private final BoundedFile file;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final CompletableFuture<Void> ended = new CompletableFuture<>();
    private volatile String fatal = "";
    private volatile boolean portTaken;

    ServerLog(BoundedFile file) {
        this.file = file;
    }

    /** Reads until the server ends, on a thread of its own. */
    void follow(InputStream output) {
        Thread thread = new Thread(() -> copy(output), "orth-postgres-log");
        thread.setDaemon(true);
        thread.start();
    }

    CompletableFuture<Void> ready() {
        return ready;
    }

    /** Returns a future that completes when all of the server's output has been read. */
    CompletableFuture<Void> ended() {
        return ended;
    }

    /** Returns the last fatal error; empty if there was none. */
    String fatal() {
        return fatal;
    }

    boolean portTaken() {
        return portTaken;
    }

    private void copy(InputStream output) {
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(output, StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                notice(line);
                file.append(line);
            }
        } catch (IOException e) {
            log.atDebug().setCause(e).log("the output of postgresql ended");
        } finally {
            file.close();
            ended.complete(null);
        }
    }

    private void notice(String line) {
        if (line.contains(READY)) {
            ready.complete(null);
        } else if (line.contains(PORT_TAKEN)) {
            portTaken = true;
        } else if (line.contains("FATAL:") || line.contains("PANIC:")) {
            fatal = line.substring(line.indexOf(": ") + 1).strip();
        }
    }
}
