package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.CallbackItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BisectionTest {

    private final List<Long> delivered = new ArrayList<>();
    private int requests;

    @Test
    void leavesExactlyTheBadOnes() throws Exception {
        Random random = new Random(42);
        for (int round = 0; round < 200; round++) {
            delivered.clear();
            Set<Long> bad = new TreeSet<>();
            for (int i = 0; i < 1 + random.nextInt(3); i++) {
                bad.add((long) random.nextInt(500));
            }

            List<CallbackItem> rest = Bisection.deliver(items(500), refusing(bad));

            assertThat(rest).extracting(CallbackItem::logId).containsExactlyInAnyOrderElementsOf(bad);
            assertThat(delivered).hasSize(500 - bad.size()).doesNotContainAnyElementsOf(bad);
        }
    }

    @Test
    void soonStopsWhenEverythingIsRefused() throws Exception {
        List<CallbackItem> rest = Bisection.deliver(items(500), items -> {
            requests++;
            return new Outcome.Refused("all");
        });

        assertThat(rest).hasSize(500);
        assertThat(requests).isLessThan(20);
    }

    @Test
    void stopsWhenTheAdminIsGone() throws Exception {
        List<CallbackItem> rest = Bisection.deliver(items(500), items -> {
            requests++;
            return new Outcome.Unreachable("gone");
        });

        assertThat(rest).hasSize(500);
        assertThat(requests).isEqualTo(1);
    }

    private Bisection.Send refusing(Set<Long> bad) {
        return items -> {
            if (items.stream().anyMatch(item -> bad.contains(item.logId()))) {
                return new Outcome.Refused("bad");
            }
            items.forEach(item -> delivered.add(item.logId()));
            return new Outcome.Accepted();
        };
    }

    private static List<CallbackItem> items(int count) {
        return LongStream.range(0, count)
                .mapToObj(id -> new CallbackItem(id, 0, 200, null, null))
                .toList();
    }
}
