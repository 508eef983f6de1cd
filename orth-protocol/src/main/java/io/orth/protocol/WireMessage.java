package io.orth.protocol;

import java.util.Map;

/** A message with a JSON form. Each implementation has a static {@code from(JsonObject)} that reads it back. */
public interface WireMessage {

    Map<String, Object> toJson();
}
