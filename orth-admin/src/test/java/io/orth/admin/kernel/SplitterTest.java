package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.BadSqlGrammarException;
import org.springframework.transaction.TransactionSystemException;

@Tag("must-kernel")
class SplitterTest {

    private static final List<Integer> ITEMS = IntStream.range(0, 100).boxed().toList();

    private final List<Integer> done = new ArrayList<>();
    private final Map<Integer, RuntimeException> failed = new TreeMap<>();
    private int calls;

    @Test
    void aBatchThatSucceedsIsOneCall() {
        Splitter.run(ITEMS, items -> work(items, Set.of()), failed::put);

        assertThat(calls).isEqualTo(1);
        assertThat(done).isEqualTo(ITEMS);
        assertThat(failed).isEmpty();
    }

    @Test
    void badItemsAreIsolatedAndTheOthersKeepTheirOrder() {
        Splitter.run(ITEMS, items -> work(items, Set.of(0, 42, 99)), failed::put);

        assertThat(failed.keySet()).containsExactly(0, 42, 99);
        assertThat(done).hasSize(97).isSorted().doesNotContain(0, 42, 99);
        assertThat(calls).isLessThan(50);
    }

    @Test
    void rethrowsFailureOfWholeBatchWithoutSplitting() {
        for (RuntimeException failure : List.of(
                new CannotAcquireLockException("no lock"),
                new TransactionSystemException("no commit"),
                new BadSqlGrammarException("task", "sql", new SQLException("no such table", "42P01")),
                OrthException.of(ErrorCode.UNAVAILABLE, "full"))) {
            calls = 0;

            assertThatThrownBy(() -> Splitter.run(ITEMS, items -> fail(failure), failed::put))
                    .isSameAs(failure);
            assertThat(calls).isEqualTo(1);
        }
        assertThat(failed).isEmpty();
    }

    @Test
    void isolatesDataFaultsAndDefects() {
        for (RuntimeException failure : List.of(
                new DataIntegrityViolationException("too long"),
                new IllegalStateException("a defect"),
                OrthException.invalid("name", "must be shorter"))) {
            failed.clear();

            Splitter.run(List.of(1), items -> fail(failure), failed::put);

            assertThat(failed).containsExactly(Map.entry(1, failure));
        }
    }

    @Test
    void aFirstFailureNeedNotBeRepeated() {
        Splitter.split(ITEMS, new IllegalStateException("first"), items -> work(items, Set.of(3)), failed::put);

        assertThat(failed.keySet()).containsExactly(3);
        assertThat(done).hasSize(99);
        assertThatThrownBy(() -> Splitter.split(
                        List.<Integer>of(), new IllegalStateException("none"), done::addAll, failed::put))
                .hasMessage("none");
    }

    @Test
    void shrinksBatchesDownToSingleItem() {
        List<Integer> sizes = new ArrayList<>();

        int taken = Splitter.next(
                10,
                size -> {
                    sizes.add(size);
                    return size > 2 ? fail(new IllegalStateException("too many")) : size;
                },
                why -> -1);
        int passedOver = Splitter.next(10, size -> fail(new IllegalStateException("bad")), why -> -1);

        assertThat(sizes).containsExactly(10, 5, 2);
        assertThat(taken).isEqualTo(2);
        assertThat(passedOver).isEqualTo(-1);
        RuntimeException trouble = new CannotAcquireLockException("no lock");
        assertThatThrownBy(() -> Splitter.next(10, size -> fail(trouble), why -> -1))
                .isSameAs(trouble);
    }

    private void work(List<Integer> items, Set<Integer> bad) {
        calls++;
        if (items.stream().anyMatch(bad::contains)) {
            throw new IllegalStateException("bad");
        }
        done.addAll(items);
    }

    private int fail(RuntimeException failure) {
        calls++;
        throw failure;
    }
}
