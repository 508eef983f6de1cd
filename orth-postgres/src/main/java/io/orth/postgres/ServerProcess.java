package io.orth.postgres;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One server process from its start to its end. */
final class ServerProcess {

    static final String ADDRESS = "127.0.0.1";

    private static final int PORT_ATTEMPTS = 5;
    private static final long LOG_LIMIT = 5 * 1024 * 1024;
    private static final Duration IMMEDIATE_LIMIT = Duration.ofSeconds(5);

    private final Process process;
    private final ServerLog log;
    private final Path logFile;
    private final int port;
    private final Lifeline lifeline;
    private final Duration stopLimit;

    private ServerProcess(Process process, ServerLog log, Cluster cluster, int port, Duration stopLimit) {
        this.process = process;
        this.log = log;
        this.logFile = cluster.log();
        this.port = port;
        this.lifeline = Lifeline.to(process.pid(), cluster.data());
        this.stopLimit = stopLimit;
    }

    /** Starts the server; returns once it accepts connections. */
    static ServerProcess start(Cluster cluster, EmbeddedPostgresOptions options) {
        for (int attempt = 1; ; attempt++) {
            int port = options.port() == 0 ? freePort() : options.port();
            ServerProcess server = launch(cluster, port, options);
            if (server.awaitReady(options.startLimit())) {
                return server;
            }
            boolean anotherPortMayHelp = options.port() == 0 && server.log.portTaken() && attempt < PORT_ATTEMPTS;
            if (!anotherPortMayHelp) {
                throw server.didNotStart(cluster);
            }
        }
    }

    private static ServerProcess launch(Cluster cluster, int port, EmbeddedPostgresOptions options) {
        List<String> command = Session.own(cluster.command("postgres", arguments(cluster, port, options.durable())));
        try {
            Process process = Commands.builder(command).start();
            try {
                process.getOutputStream().close();
                ServerLog log = new ServerLog(new BoundedFile(cluster.log(), LOG_LIMIT));
                log.follow(process.getInputStream());
                return new ServerProcess(process, log, cluster, port, options.stopLimit());
            } catch (IOException | RuntimeException e) {
                process.destroyForcibly();
                throw e;
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException("PostgreSQL cannot be started: %s.".formatted(e.getMessage()), e);
        }
    }

    /** Returns the command-line arguments, which override the data directory's own configuration. */
    private static List<String> arguments(Cluster cluster, int port, boolean durable) {
        String careful = durable ? "on" : "off";
        List<String> settings = new ArrayList<>(List.of(
                "listen_addresses=" + ADDRESS,
                "port=" + port,
                "unix_socket_directories=",
                "ssl=off",
                "fsync=" + careful,
                "synchronous_commit=" + careful,
                "full_page_writes=" + careful,
                // An emptied queue leaves as many dead rows as it had messages; every scan passes them until vacuum
                // removes them.
                "autovacuum_naptime=10s",
                "logging_collector=off",
                "log_destination=stderr",
                "lc_messages=C",
                "timezone=UTC",
                "log_timezone=UTC"));
        if (!durable) {
            settings.addAll(List.of("wal_level=minimal", "max_wal_senders=0", "max_connections=300"));
        }
        List<String> arguments = new ArrayList<>(List.of("-D", cluster.data().toString()));
        for (String setting : settings) {
            arguments.add("-c");
            arguments.add(setting);
        }
        return arguments;
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByAddress(new byte[] {127, 0, 0, 1}))) {
            return socket.getLocalPort();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns whether the server is ready; if not, it has been stopped. */
    private boolean awaitReady(Duration limit) {
        try {
            CompletableFuture.anyOf(log.ready(), log.ended()).get(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            stop();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            stop();
            throw new EmbeddedPostgresException("Interrupted while PostgreSQL was starting.", e);
        }
        if (log.ready().isDone()) {
            return true;
        }
        stop();
        return false;
    }

    private EmbeddedPostgresException didNotStart(Cluster cluster) {
        String reason = log.fatal().isEmpty() ? "" : " (%s)".formatted(log.fatal());
        return new EmbeddedPostgresException(
                "PostgreSQL did not start in %s%s; its log is %s.".formatted(cluster.data(), reason, logFile));
    }

    int port() {
        return port;
    }

    CompletableFuture<Void> ended() {
        return process.onExit().thenApply(end -> null);
    }

    /** Stops the server: fast shutdown first, immediate shutdown after the limit, then by force. */
    void stop() {
        try {
            if (!endsAfter(Signal.FAST_SHUTDOWN, stopLimit) && !endsAfter(Signal.IMMEDIATE_SHUTDOWN, IMMEDIATE_LIMIT)) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            lifeline.cut();
        }
    }

    private boolean endsAfter(Signal signal, Duration limit) throws InterruptedException {
        if (process.isAlive()) {
            signal.send(process.toHandle());
        }
        return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    }
}
