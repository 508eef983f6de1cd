package io.orth.admin.kernel;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/**
 * The only way to change a status. An update runs in the caller's transaction and is guarded by the expected status. Exactly the rows it
 * changed are journaled, then passed to the listeners of the entity's kind in their order ({@link StateChanges}). A row missing from the
 * result was changed by another transaction first, which is a normal outcome.
 */
public final class Lifecycle<S extends Enum<S> & Status<S>, M extends Move<S>> {

    /**
     * The entity's guarded update, usually a {@link StatusTable}: locks the rows in id order, changes those still in {@code from}, and
     * returns them. If the rows are already locked, the statement may be sent at the end of the transaction, which then fails if a row is
     * not as expected.
     */
    @FunctionalInterface
    public interface MoveStatement<M> {

        /** Changes the rows. {@code moves} contains each id once, in ascending order. */
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

    /** Applies the moves and returns the ids of changed rows. If several moves concern one row, the first one is applied. */
    public Set<Long> moveAll(Collection<M> moves) {
        moves.forEach(move -> checkEdge(move, move.from().next()));
        return apply(moves);
    }

    /** Like {@link #moveAll}, along edges that correct a wrong decision. Callers wrap each correction in a method of its own. */
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
