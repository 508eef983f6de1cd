package io.orth.admin.transition;

import io.orth.admin.transition.JournalRepository.Batch;
import io.orth.protocol.StateTransition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Transitions in the order of their positions. The latest ones are cached for all sinks and watchers. */
public final class TransitionFeed {

    /** About 20 MB. */
    private static final int REMEMBERED = 20_000;

    private static final int MOST_BATCHES = 500;

    private static final Comparator<StateTransition> IN_ORDER = Comparator.comparing(StateTransition::entity)
            .thenComparingLong(StateTransition::entityId)
            .thenComparingInt(StateTransition::sequence);

    /**
     * A place in the global order: after one transition, or after all transitions of a position.
     *
     * @param index {@link Integer#MAX_VALUE} for the end of the position
     */
    public record Place(long position, int index) {

        /** Returns the place after all transitions of {@code position}. */
        public static Place after(long position) {
            return new Place(position, Integer.MAX_VALUE);
        }

        /** Returns whether this is the end of its position. */
        public boolean isWhole() {
            return index == Integer.MAX_VALUE;
        }

        public boolean isBefore(Place other) {
            return position < other.position || (position == other.position && index < other.index);
        }

        public String id() {
            return isWhole() ? Long.toString(position) : position + "." + index;
        }
    }

    /**
     * The next transitions.
     *
     * @param upTo the position reached; the starting position if there are none
     * @param missing number of transitions that have expired
     * @param more whether further transitions may be available
     */
    public record Piece(List<RelayedTransition> transitions, long upTo, int missing, boolean more) {

        public Piece {
            transitions = List.copyOf(transitions);
        }
    }

    private final JournalRepository journal;
    private final TransitionRows rows;
    /** Cached batches by position. */
    private final Remembered<Long, List<RelayedTransition>> remembered =
            new Remembered<>(REMEMBERED, transitions -> Math.max(1, transitions.size()));

    TransitionFeed(JournalRepository journal, TransitionRows rows) {
        this.journal = journal;
        this.rows = rows;
    }

    /** Returns the highest position. */
    public long head() {
        return journal.head();
    }

    /** Returns the position before the lowest one still stored; the head if none is stored. */
    public long beforeOldest() {
        return journal.oldest().map(first -> first - 1).orElseGet(journal::head);
    }

    /** Returns the place before the last {@code most} transitions; before all stored ones if there are fewer. */
    public Place beforeLast(int most) {
        return journal.beforeLast(most).orElseGet(() -> Place.after(beforeOldest()));
    }

    /** Returns about {@code most} transitions after {@code position}: whole batches, at least one. */
    public Piece after(long position, int most) {
        List<Batch> found = journal.after(position, MOST_BATCHES);
        List<Batch> batches = upTo(most, found);
        if (batches.isEmpty()) {
            return new Piece(List.of(), position, 0, false);
        }
        Map<Long, List<RelayedTransition>> read = read(batches);
        List<RelayedTransition> transitions = new ArrayList<>();
        int promised = 0;
        for (Batch batch : batches) {
            promised += batch.changes();
            transitions.addAll(read.get(batch.position()));
        }
        long upTo = batches.get(batches.size() - 1).position();
        boolean more = batches.size() < found.size() || found.size() == MOST_BATCHES;
        return new Piece(transitions, upTo, promised - transitions.size(), more);
    }

    private static List<Batch> upTo(int most, List<Batch> batches) {
        int changes = 0;
        int count = 0;
        while (count < batches.size()
                && (count == 0 || changes + batches.get(count).changes() <= most)) {
            changes += batches.get(count).changes();
            count++;
        }
        return batches.subList(0, count);
    }

    /** Reads batches by position, one caller at a time: sinks are woken together, and batches read for one are cached for the others. */
    private synchronized Map<Long, List<RelayedTransition>> read(List<Batch> batches) {
        return remembered.get(
                batches.stream().map(Batch::position).toList(),
                unknown -> load(batches.stream()
                        .filter(batch -> unknown.contains(batch.position()))
                        .toList()));
    }

    private Map<Long, List<RelayedTransition>> load(List<Batch> batches) {
        Map<Long, List<StateTransition>> byBatch = rows.of(batches);
        return batches.stream()
                .collect(Collectors.toMap(
                        Batch::position,
                        batch -> placed(batch.position(), byBatch.getOrDefault(batch.id(), List.of()))));
    }

    private static List<RelayedTransition> placed(long position, List<StateTransition> transitions) {
        List<StateTransition> ordered = transitions.stream().sorted(IN_ORDER).toList();
        List<RelayedTransition> placed = new ArrayList<>(ordered.size());
        for (int i = 0; i < ordered.size(); i++) {
            placed.add(new RelayedTransition(position, i, ordered.get(i)));
        }
        return placed;
    }
}
