package io.orth.admin.transition;

import io.orth.protocol.StateTransition;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A transition with its place in the global order.
 *
 * @param position position of its batch
 * @param index index in the batch
 */
public record RelayedTransition(long position, int index, StateTransition transition) {

    public String id() {
        return place().id();
    }

    public TransitionFeed.Place place() {
        return new TransitionFeed.Place(position, index);
    }

    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", id());
        json.putAll(transition.toJson());
        return json;
    }

    /** Returns the transitions as JSON lines, each with its line terminator. */
    static byte[] toJsonLines(List<RelayedTransition> transitions) {
        return StateTransition.toJsonLines(transitions, RelayedTransition::id, RelayedTransition::transition);
    }
}
