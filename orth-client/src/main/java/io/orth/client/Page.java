package io.orth.client;

import io.orth.protocol.JsonObject;
import java.util.List;
import java.util.function.Function;

/**
 * Part of a list.
 *
 * @param next what to give as {@code after} for the items that follow; null at the end
 */
public record Page<T>(List<T> items, String next) {

    public Page {
        items = List.copyOf(items);
    }

    static <T> Page<T> of(JsonObject json, Function<JsonObject, T> item) {
        return new Page<>(json.objects("items").stream().map(item).toList(), json.text("next"));
    }
}
