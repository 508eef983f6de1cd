package io.orth.executor.internal.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.internal.transport.BatchSender.Delivery;
import io.orth.protocol.CallbackItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-kernel")
class BatchSenderTest {

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

            Delivery<CallbackItem> delivery = new BatchSender<>(rejecting(bad)).send(items(500));

            assertThat(delivery.refused()).extracting(CallbackItem::logId).containsExactlyElementsOf(bad);
            assertThat(delivery.untried()).isEmpty();
            assertThat(delivery.outcome()).isInstanceOf(Outcome.Refused.class);
            assertThat(delivered).hasSize(500 - bad.size()).doesNotContainAnyElementsOf(bad);
        }
    }

    @Test
    void stopsEarlyWhenEverythingIsRejected() throws Exception {
        Delivery<CallbackItem> delivery = new BatchSender<CallbackItem>(items -> {
                    requests++;
                    return new Outcome.Refused("all");
                })
                .send(items(500));

        assertThat(delivery.refused()).extracting(CallbackItem::logId).containsExactly(0L, 1L, 2L, 3L);
        assertThat(delivery.untried()).hasSize(496);
        assertThat(delivery.delivered()).isEmpty();
        assertThat(requests).isLessThan(20);
    }

    @Test
    void stopsWhenAdminIsUnreachable() throws Exception {
        BatchSender<CallbackItem> sender = new BatchSender<>(items -> {
            requests++;
            return new Outcome.Unreachable("gone");
        });
        Delivery<CallbackItem> delivery = sender.send(items(500));

        assertThat(delivery.untried()).hasSize(500);
        assertThat(delivery.outcome()).isInstanceOf(Outcome.Unreachable.class);
        assertThat(requests).isEqualTo(1);
    }

    @Test
    void restsLongerWhileNothingGetsThrough() throws Exception {
        Set<Long> bad = new TreeSet<>(Set.of(0L));
        BatchSender<CallbackItem> sender = new BatchSender<>(rejecting(bad));

        Duration first = sender.restAfter(sender.send(items(1)));
        Duration second = sender.restAfter(sender.send(items(1)));
        Duration afterSome = sender.restAfter(sender.send(items(2)));
        Duration again = sender.restAfter(sender.send(items(1)));

        assertThat(first).isBetween(Duration.ofMillis(150), Duration.ofMillis(200));
        assertThat(second).isBetween(Duration.ofMillis(300), Duration.ofMillis(400));
        assertThat(afterSome).isZero();
        assertThat(again).isBetween(Duration.ofMillis(150), Duration.ofMillis(200));
    }

    @Test
    void anAcceptedBatchIsOneRequest() throws Exception {
        Delivery<CallbackItem> delivery = new BatchSender<>(rejecting(Set.of())).send(items(500));

        assertThat(delivery.isComplete()).isTrue();
        assertThat(delivery.delivered()).hasSize(500);
        assertThat(requests).isEqualTo(1);
    }

    private BatchSender.Post<CallbackItem> rejecting(Set<Long> bad) {
        return items -> {
            requests++;
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
