package io.orth.executor.internal.transport;

import io.orth.protocol.WireMessage;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The handlers by path: with a single response, or with a stream. */
public record Routes(Map<String, Route> byPath, Map<String, StreamHandler> streams) {

    public Routes(Map<String, Route> byPath) {
        this(byPath, Map.of());
    }

    /** Serves one request. Exceptions for invalid messages are reported to the caller; any other exception is an internal error. */
    @FunctionalInterface
    public interface Handler {
        WireMessage answer(byte[] body) throws Exception;
    }

    /** Opens a stream for one request. Exceptions are treated as with {@link Handler}. */
    @FunctionalInterface
    public interface StreamHandler {
        MessageStream open(byte[] body) throws Exception;
    }

    /** @param inline true if the handler never blocks; it is then served immediately, however busy the executor is */
    public record Route(Handler handler, boolean inline) {}

    /** Returns these routes with an additional stream. */
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
