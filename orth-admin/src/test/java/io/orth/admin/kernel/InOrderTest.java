package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class InOrderTest {

    private record Item(long id, String name) {}

    private static InOrder<Item> of(Item... items) {
        return InOrder.of(List.of(items), Item::id);
    }

    @Test
    void hasEachIdOnceAndTheFirstOfSeveral() {
        InOrder<Item> some = of(new Item(3, "c"), new Item(1, "a"), new Item(3, "late"), new Item(1, "later"));

        assertThat(some.items()).containsExactly(new Item(1, "a"), new Item(3, "c"));
        assertThat(some.ids()).containsExactly(1L, 3L);
    }

    @Test
    void findsOnlyContainedItems() {
        InOrder<Item> some = of(new Item(Long.MAX_VALUE, "last"), new Item(-5, "first"), new Item(4096, "between"));

        assertThat(some.get(4096).name()).isEqualTo("between");
        assertThat(some.get(Long.MAX_VALUE).name()).isEqualTo("last");
        assertThat(some.get(4097)).isNull();
        assertThat(some.ids().contains(-5L)).isTrue();
        assertThat(some.ids().contains(5L)).isFalse();
        assertThatThrownBy(() -> some.ids().remove(-5L)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void mayHaveNothing() {
        assertThat(of().items()).isEmpty();
        assertThat(of().ids()).isEmpty();
        assertThat(of().get(1)).isNull();
    }
}
