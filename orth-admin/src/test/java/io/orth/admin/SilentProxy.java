package io.orth.admin;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Stands between a client and a database and can stop passing on what is said, as a network does that loses everything. */
public final class SilentProxy implements AutoCloseable {

    private final URI database;
    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final List<Socket> targets = new CopyOnWriteArrayList<>();
    private final Set<Socket> lost = ConcurrentHashMap.newKeySet();
    private volatile boolean silent;

    private SilentProxy(URI database) throws IOException {
        this.database = database;
    }

    public static SilentProxy to(String jdbcUrl) throws IOException {
        SilentProxy proxy = new SilentProxy(URI.create(jdbcUrl.substring("jdbc:".length())));
        start(proxy::accept);
        return proxy;
    }

    public String url() {
        return "jdbc:postgresql://127.0.0.1:%d%s".formatted(server.getLocalPort(), database.getPath());
    }

    /** From now on, on every connection. */
    public void fallSilent() {
        silent = true;
    }

    /** Nothing more is heard on the connections there are, which stay open; new ones work. */
    public void loseConnections() {
        lost.addAll(sockets);
    }

    /** The ports of all connections to the database so far, by which {@code pg_stat_activity} names their sessions. */
    public List<Integer> ports() {
        return targets.stream().map(Socket::getLocalPort).toList();
    }

    private void accept() throws IOException {
        while (true) {
            Socket client = server.accept();
            Socket target = new Socket(database.getHost(), database.getPort());
            sockets.addAll(List.of(client, target));
            targets.add(target);
            start(() -> pass(client, target));
            start(() -> pass(target, client));
        }
    }

    private void pass(Socket from, Socket to) throws IOException {
        InputStream said = from.getInputStream();
        OutputStream heard = to.getOutputStream();
        byte[] buffer = new byte[8192];
        for (int count = said.read(buffer); count >= 0; count = said.read(buffer)) {
            if (!silent && !lost.contains(from)) {
                heard.write(buffer, 0, count);
            }
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    private interface Work {
        void run() throws IOException;
    }

    private static void start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (IOException e) {
                // The proxy or one of its peers is closed.
            }
        });
        thread.setDaemon(true);
        thread.start();
    }
}
