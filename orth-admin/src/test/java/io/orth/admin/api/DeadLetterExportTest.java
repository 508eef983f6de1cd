package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.deadletter.DeadKind;
import io.orth.admin.deadletter.DeadLetter;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-queues")
class DeadLetterExportTest {

    private static final long MEGABYTE = 1024 * 1024;

    /** A dead letter's payload may be its smallest part: stacks and failures of many attempts count in full. */
    @Test
    void readsBatchesOfUpToFourMegabytes() {
        Map<Long, Long> sizes = Map.of(1L, 3 * MEGABYTE, 2L, MEGABYTE, 3L, 1L, 4L, 5 * MEGABYTE, 5L, 10L);

        List<List<Long>> parts = DeadLetterExport.parts(sizes, letters(6));

        assertThat(parts).containsExactly(List.of(1L, 2L), List.of(3L), List.of(4L), List.of(5L, 6L));
    }

    private static List<DeadLetter> letters(int count) {
        DeadLetter.Death death = new DeadLetter.Death("EXHAUSTED", "no", null, "f");
        return LongStream.rangeClosed(1, count)
                .mapToObj(no -> new DeadLetter(
                        no,
                        DeadKind.MESSAGE,
                        no,
                        "emails",
                        null,
                        death,
                        1,
                        1,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        null,
                        "x",
                        1,
                        null))
                .toList();
    }
}
