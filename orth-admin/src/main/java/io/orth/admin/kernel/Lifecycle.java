package io.orth.admin.kernel;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The one way to change a status, in the caller's transaction: guarded by the expected one, journalled for exactly the rows that
 * moved, then given to the listeners of the entity's kind in their order ({@link StateChanges}). A row that is missing in the answer
 * was moved by someone else first, which is a normal outcome.
 */
public final class Lifecycle<S extends Enum<S> & Status<S>, M extends Move<S>> {

    /**
     * The entity's guarded update, mostly a {@link StatusTable}: locks the rows in id order, moves those still in {@code from}, returns
     * them. One that has locked them before may be sent at the end of the transaction, which then fails if a row is not as expected.
     */
    @FunctionalInterface
    public interface MoveStatement<M> {

        /** {@code moves} has each id once, in ascending order. */
        List<MovedRow> execute(List<M> moves);
    }

    private final EntityKind entity;
    private final MoveStatement<M> statement;
    private final StateChanges changes;

    public Lifecycle(EntityKind entity, MoveStatement<M> statement, StateChanges changes) {
        this.entity = entity;
        this.statement = statement;
        this.changes = changes;
    }

    /** Of several moves of one row the first counts. Returns the ids that moved. */
    public Set<Long> moveAll(Collection<M> moves) {
        moves.forEach(move -> checkEdge(move, move.from().next()));
        return apply(moves);
    }

    /** As {@link #moveAll}, along the edges that correct a verdict; the caller has each in a method of its own. */
    public Set<Long> correctAll(Collection<M> moves) {
        moves.forEach(move -> checkEdge(move, move.from().corrections()));
        return apply(moves);
    }

    /** Journals rows just inserted in {@code status}: creation is a transition too. */
    public void created(List<MovedRow> rows, S status, String cause) {
        if (!status.isInitial()) {
            throw new IllegalArgumentException("no %s is made in %s".formatted(entity, status));
        }
        requireTransaction();
        changes.append(rows.stream()
                .map(row -> new StateChange(entity, row, null, status.name(), cause))
                .toList());
    }

    private Set<Long> apply(Collection<M> moves) {
        requireTransaction();
        InOrder<M> wanted = InOrder.of(moves, Move::id);
        if (wanted.items().isEmpty()) {
            return Set.of();
        }
        InOrder<StateChange> moved = InOrder.of(
                statement.execute(wanted.items()).stream()
                        .map(row -> changed(row, wanted.get(row.id())))
                        .toList(),
                change -> change.row().id());
        changes.append(moved.items());
        return moved.ids();
    }

    private StateChange changed(MovedRow row, M move) {
        return new StateChange(entity, row, move.from().name(), move.to().name(), move.cause());
    }

    private void checkEdge(M move, Set<S> possible) {
        if (!possible.contains(move.to())) {
            throw new IllegalArgumentException(
                    "%s %d cannot go from %s to %s".formatted(entity, move.id(), move.from(), move.to()));
        }
    }

    private static void requireTransaction() {
        if (!Transactions.isActive()) {
            throw new IllegalStateException("a status changes only inside a transaction");
        }
    }
}
