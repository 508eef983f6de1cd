package io.orth.client;

import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Function;

/** Parsing of responses. An invalid response is treated as if no admin had responded. */
final class Answers {

    private Answers() {}

    static <T> T read(JsonObject json, Function<JsonObject, T> reader) {
        try {
            return reader.apply(json);
        } catch (WireFormatException | DateTimeException e) {
            throw OrthClientException.unreachable("the answer is not an admin's: " + e.getMessage(), e);
        }
    }

    static Instant instant(JsonObject json, String name) {
        String text = json.text(name);
        return text == null ? null : Instant.parse(text);
    }

    static Duration duration(JsonObject json, String name) {
        String text = json.text(name);
        return text == null ? Duration.ZERO : Duration.parse(text);
    }

    static Integer integer(JsonObject json, String name) {
        return json.has(name) ? json.requiredInteger(name) : null;
    }
}
