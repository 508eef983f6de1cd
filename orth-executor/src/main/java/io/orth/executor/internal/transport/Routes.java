package io.orth.executor.internal.transport;

import io.orth.protocol.WireMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What is served under which path: by one answer, or by a stream of them. */
public record Routes(Map<String, Route> byPath, Map<String, StreamHandler> streams) {

    public Routes(Map<String, Route> byPath) {
        this(byPath, Map.of());
    }

    /** Answers one request. What it throws as a bad message is told to the caller; anything else is our fault. */
    @FunctionalInterface
    public interface Handler {
        WireMessage answer(byte[] body) throws Exception;
    }

    /** Opens a stream for one request. What it throws is treated as with {@link Handler}. */
    @FunctionalInterface
    public interface StreamHandler {
        MessageStream open(byte[] body) throws Exception;
    }

    /** @param inline answers without waiting for anything, so it is served at once, however busy the executor is */
    public record Route(Handler handler, boolean inline) {}

    /** These routes and one that is answered by a stream. */
    public Routes withStream(String path, StreamHandler handler) {
        Map<String, StreamHandler> more = new HashMap<>(streams);
        more.put(path, handler);
        return new Routes(byPath, Map.copyOf(more));
    }

    Optional<Route> find(String path) {
        return Optional.ofNullable(byPath.get(path));
    }

    Optional<StreamHandler> findStream(String path) {
        return Optional.ofNullable(streams.get(path));
    }
}
