package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RememberedTest {

    private static final int BATCH = 1_000;

    private final Remembered<Integer, List<String>> own = new Remembered<>(20 * BATCH, List::size);

    private static List<String> changes(int count) {
        return Collections.nCopies(count, "change");
    }

    @Test
    void takesEachValueOnce() {
        own.put(7, changes(2));

        assertThat(own.take(7)).hasSize(2);
        assertThat(own.take(7)).isNull();
        assertThat(own.take(8)).isNull();
    }

    @Test
    void evictsOldestBeyondCapacity() {
        for (int batch = 1; batch <= 25; batch++) {
            own.put(batch, changes(BATCH));
        }

        assertThat(own.take(5)).isNull();
        assertThat(own.take(6)).hasSize(BATCH);
        assertThat(own.take(25)).hasSize(BATCH);
    }

    @Test
    void takenValuesFreeCapacity() {
        for (int batch = 1; batch <= 100; batch++) {
            own.put(batch, changes(BATCH));
            if (batch > 1) {
                assertThat(own.take(batch)).hasSize(BATCH);
            }
        }

        assertThat(own.take(1)).hasSize(BATCH);
    }

    @Test
    void keepsOneValueThatIsLargerThanTheCapacity() {
        own.put(1, changes(BATCH));
        own.put(2, changes(30 * BATCH));

        assertThat(own.take(1)).isNull();
        assertThat(own.take(2)).hasSize(30 * BATCH);
    }

    @Test
    void loadsAllUnknownValuesInOneCall() {
        own.put(1, changes(1));
        List<Set<Integer>> asked = new ArrayList<>();

        Map<Integer, List<String>> found = own.get(List.of(1, 2, 3), unknown -> {
            asked.add(unknown);
            return Map.of(2, changes(2));
        });

        assertThat(found).containsOnly(Map.entry(1, changes(1)), Map.entry(2, changes(2)));
        assertThat(asked).containsExactly(Set.of(2, 3));
        assertThat(own.get(List.of(1, 2), unknown -> Map.of())).hasSize(2);
    }

    @Test
    void keepsMostRecentlyUsedValues() {
        own.put(1, changes(10 * BATCH));
        own.put(2, changes(10 * BATCH));
        own.get(List.of(1), unknown -> Map.of());

        own.put(3, changes(1));

        assertThat(own.get(List.of(1, 2, 3), unknown -> Map.of())).containsOnlyKeys(1, 3);
    }
}
