package io.orth.executor.internal;

import io.orth.executor.OrthExecutor;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/** Facts about this process that stay constant while it lives. */
public final class Identity {

    private static final String VERSION = readVersion();
    private static final String HOST_NAME = findHostName();

    private Identity() {}

    /** Returns the version of this library. */
    public static String version() {
        return VERSION;
    }

    public static String hostName() {
        return HOST_NAME;
    }

    private static String findHostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "unknown";
        }
    }

    private static String readVersion() {
        try (InputStream in = OrthExecutor.class.getResourceAsStream("version.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
