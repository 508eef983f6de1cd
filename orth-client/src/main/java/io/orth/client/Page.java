package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.List;
import java.util.function.Function;

/**
 * One page of a list.
 *
 * @param next the value of {@code after} for the next page; null on the last page
 */
public record Page<T>(List<T> items, String next) {

    public Page {
        items = List.copyOf(items);
    }

    static <T> Page<T> of(JsonObject json, Function<JsonObject, T> item) {
        return new Page<>(json.objects("items").stream().map(item).toList(), json.text("next"));
    }
}
