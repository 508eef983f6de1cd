package io.orth.admin.api;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.events.AliasEvent;
import org.yaml.snakeyaml.events.CollectionEndEvent;
import org.yaml.snakeyaml.events.CollectionStartEvent;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Tag;

/**
 * Size limit for the tree that a YAML text represents, checked while parsing and before the tree is built. An alias counts as much as the
 * node it repeats, so a short text cannot represent a large tree. An alias inside the node that it repeats is rejected.
 */
final class YamlSize {

    static final int MAX_NODES = 100_000;
    static final int MAX_DEPTH = 64;
    static final int MAX_NUMBER_LENGTH = 100;

    /** Value with the size of its subtree, itself included. A collection grows until its end is parsed. */
    private static final class Value {

        private final String anchor;
        private int nodes = 1;
        private int depth = 1;

        /** @param anchor null if there is none */
        Value(String anchor) {
            this.anchor = anchor;
        }

        void add(Value child) {
            nodes += child.nodes;
            depth = Math.max(depth, child.depth + 1);
        }
    }

    private static final class TooMuch extends MarkedYAMLException {

        private static final long serialVersionUID = 1L;

        TooMuch(String problem, Mark at) {
            super(null, null, problem, at);
        }
    }

    private final Deque<Value> open = new ArrayDeque<>();
    private final Map<String, Value> anchors = new HashMap<>();
    private int nodes;

    private YamlSize() {}

    /** Throws {@link MarkedYAMLException} if the text, or the tree that it represents, is too large or too deep. */
    static void check(Iterable<Event> text) {
        YamlSize size = new YamlSize();
        text.forEach(size::count);
    }

    private void count(Event event) {
        if (event instanceof CollectionStartEvent start) {
            Value begun = new Value(start.getAnchor());
            grow(begun, event);
            anchors.remove(start.getAnchor());
            open.push(begun);
        } else if (event instanceof CollectionEndEvent) {
            close(open.pop());
        } else if (event instanceof ScalarEvent scalar) {
            requireShort(scalar);
            Value value = new Value(scalar.getAnchor());
            grow(value, event);
            close(value);
        } else if (event instanceof AliasEvent alias) {
            Value repeated = anchors.get(alias.getAnchor());
            if (repeated == null) {
                throw new TooMuch(
                        "alias %s repeats nothing that ends before it".formatted(alias.getAnchor()), at(event));
            }
            grow(repeated, event);
            close(repeated);
        }
    }

    /** Limits values with a tag: parsing numbers and times is slow, unlike text. */
    private static void requireShort(ScalarEvent scalar) {
        String tag = scalar.getTag();
        if (tag != null && !Tag.STR.getValue().equals(tag) && scalar.getValue().length() > MAX_NUMBER_LENGTH) {
            throw new TooMuch("more than %d characters with a tag".formatted(MAX_NUMBER_LENGTH), at(scalar));
        }
    }

    private void grow(Value added, Event event) {
        nodes += added.nodes;
        if (nodes > MAX_NODES) {
            throw new TooMuch(
                    "more than %d values, those that aliases repeat included".formatted(MAX_NODES), at(event));
        }
        if (open.size() + added.depth > MAX_DEPTH) {
            throw new TooMuch("nested more than %d deep".formatted(MAX_DEPTH), at(event));
        }
    }

    private void close(Value value) {
        if (value.anchor != null) {
            anchors.put(value.anchor, value);
        }
        if (!open.isEmpty()) {
            open.peek().add(value);
        }
    }

    private static Mark at(Event event) {
        return event.getStartMark();
    }
}
