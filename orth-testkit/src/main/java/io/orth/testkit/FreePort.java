package io.orth.testkit;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A port for a server that is started later. It is below the ports that operating systems give to outgoing connections, so that none
 * of those takes it in between.
 */
public final class FreePort {

    private static final int MIN = 12_000;
    private static final int MAX = 32_000;
    private static final int MAX_ATTEMPTS = 100;

    private FreePort() {}

    /** Returns a port of the loopback interface that nothing listens on. */
    public static int find() {
        for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(MIN, MAX);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                // In use: another one is tried.
            }
        }
        throw new IllegalStateException("no free port between %d and %d".formatted(MIN, MAX));
    }
}
