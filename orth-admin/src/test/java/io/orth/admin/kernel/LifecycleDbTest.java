package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import io.orth.admin.AdminFixture;
import io.orth.testkit.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LifecycleDbTest {

    private enum Light implements Status<Light> {
        RED,
        GREEN;

        @Override
        public Set<Light> next() {
            return this == RED ? Set.of(GREEN) : Set.of();
        }

        @Override
        public Set<Light> corrections() {
            return this == GREEN ? Set.of(GREEN) : Set.of();
        }
    }

    private record Switch(long id, Light from, Light to) implements Move<Light> {

        @Override
        public Light reason() {
            return to;
        }
    }

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private Transactions transactions;

    @BeforeEach
    void setUp() {
        transactions = new AdminFixture(db).transactions;
    }

    @Test
    void rejectsUnknownTransitionBeforeWriting() {
        Lifecycle<Light, Switch> lifecycle = lifecycle(moves -> {
            throw new AssertionError("must not be reached");
        });

        assertThatThrownBy(() ->
                        transactions.run(() -> lifecycle.moveAll(List.of(new Switch(1, Light.GREEN, Light.RED)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("RUN 1 cannot go from GREEN to RED");
    }

    @Test
    void aCorrectionGoesAlongItsOwnEdgesOnly() {
        Lifecycle<Light, Switch> lifecycle = lifecycle(moves -> List.of());

        transactions.run(() -> lifecycle.correctAll(List.of(new Switch(1, Light.GREEN, Light.GREEN))));
        assertThatThrownBy(() ->
                        transactions.run(() -> lifecycle.correctAll(List.of(new Switch(1, Light.RED, Light.GREEN)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("RUN 1 cannot go from RED to GREEN");
        assertThatThrownBy(() ->
                        transactions.run(() -> lifecycle.moveAll(List.of(new Switch(1, Light.GREEN, Light.GREEN)))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void rejectsCreationInNonInitialStatus() {
        Lifecycle<Light, Switch> lifecycle = lifecycle(moves -> List.of());

        assertThatThrownBy(() -> transactions.run(() -> lifecycle.created(List.of(), Light.GREEN, "TEST")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("no RUN is made in GREEN");
    }

    @Test
    void aStatusDoesNotChangeOutsideATransaction() {
        Lifecycle<Light, Switch> lifecycle = lifecycle(moves -> List.of());

        assertThatThrownBy(() -> lifecycle.moveAll(List.of(new Switch(1, Light.RED, Light.GREEN))))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void theStatementGetsEachIdOnceInOrder() {
        Lifecycle<Light, Switch> lifecycle = lifecycle(moves -> {
            assertThat(moves).extracting(Switch::id).containsExactly(1L, 2L, 3L);
            return List.of();
        });

        Set<Long> moved = transactions.call(() -> lifecycle.moveAll(List.of(
                new Switch(3, Light.RED, Light.GREEN),
                new Switch(1, Light.RED, Light.GREEN),
                new Switch(3, Light.RED, Light.GREEN),
                new Switch(2, Light.RED, Light.GREEN))));

        assertThat(moved).isEmpty();
    }

    @Test
    @Tag("must-kernel")
    void journalsMovesBeforeNotifyingListenersInOrder() {
        List<String> heard = new ArrayList<>();
        StateChanges changes = new StateChanges(all -> heard.add("journal " + ids(all)))
                .followedBy(List.of(
                        listener(EntityKind.RUN, "first", heard),
                        listener(EntityKind.JOB, "of jobs", heard),
                        listener(EntityKind.RUN, "second", heard)));
        Lifecycle<Light, Switch> lifecycle = new Lifecycle<>(
                EntityKind.RUN,
                moves -> moves.stream()
                        .filter(move -> move.id() != 2)
                        .map(move -> new MovedRow(move.id(), 2, Instant.EPOCH, Instant.EPOCH, null, null, null))
                        .toList(),
                changes);

        transactions.run(() -> lifecycle.moveAll(List.of(
                new Switch(3, Light.RED, Light.GREEN),
                new Switch(2, Light.RED, Light.GREEN),
                new Switch(1, Light.RED, Light.GREEN))));

        assertThat(heard).containsExactly("journal [1, 3]", "first [1, 3]", "second [1, 3]");
    }

    @Test
    @Tag("must-kernel")
    void requiresListenersBeforeTransitionsAndSetsThemOnce() {
        StateChanges changes = new StateChanges(all -> fail("must not be reached"));
        Lifecycle<Light, Switch> lifecycle = new Lifecycle<>(EntityKind.RUN, moves -> List.of(), changes);

        assertThatThrownBy(() ->
                        transactions.run(() -> lifecycle.moveAll(List.of(new Switch(1, Light.RED, Light.GREEN)))))
                .isInstanceOf(IllegalStateException.class);
        changes.followedBy(List.of());
        transactions.run(() -> lifecycle.moveAll(List.of(new Switch(1, Light.RED, Light.GREEN))));
        assertThatThrownBy(() -> changes.followedBy(List.of())).isInstanceOf(IllegalStateException.class);
    }

    private static List<Long> ids(List<StateChange> changes) {
        return changes.stream().map(change -> change.row().id()).toList();
    }

    private static TransitionListener listener(EntityKind entity, String name, List<String> heard) {
        return new TransitionListener() {
            @Override
            public EntityKind entity() {
                return entity;
            }

            @Override
            public void changed(List<StateChange> changes) {
                heard.add("%s %s".formatted(name, ids(changes)));
            }
        };
    }

    private static Lifecycle<Light, Switch> lifecycle(Lifecycle.MoveStatement<Switch> statement) {
        return new Lifecycle<>(
                EntityKind.RUN, statement, new StateChanges(changes -> fail("nothing moved")).followedBy(List.of()));
    }
}
