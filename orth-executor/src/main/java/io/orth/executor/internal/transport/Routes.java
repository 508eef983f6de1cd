package io.orth.executor.internal.transport;

import io.orth.protocol.WireMessage;
import java.util.Map;
import java.util.Optional;

/** What is served under which path. */
public record Routes(Map<String, Route> byPath) {

    /** Answers one request. What it throws as a bad message is told to the caller; anything else is our fault. */
    @FunctionalInterface
    public interface Handler {
        WireMessage answer(byte[] body) throws Exception;
    }

    /** @param inline answers without waiting for anything, so it is served at once, however busy the executor is */
    public record Route(Handler handler, boolean inline) {}

    Optional<Route> find(String path) {
        return Optional.ofNullable(byPath.get(path));
    }
}
