package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.testkit.TestDatabase;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class LifecycleDbTest {

    private enum Light implements Status<Light> {
        RED,
        GREEN;

        @Override
        public boolean isInitial() {
            return this == RED;
        }

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
        public String cause() {
            return "TEST";
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
    void anEdgeThatIsNotInTheTableIsRefusedBeforeAnythingIsWritten() {
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
    void nothingIsMadeInAStatusThatIsNotAFirstOne() {
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

    private static Lifecycle<Light, Switch> lifecycle(Lifecycle.MoveStatement<Switch> statement) {
        return new Lifecycle<>(
                EntityKind.RUN, statement, changes -> assertThat(changes).isEmpty());
    }
}
