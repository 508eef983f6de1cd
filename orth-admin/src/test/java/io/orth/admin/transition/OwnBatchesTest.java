package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OwnBatchesTest {

    private static final int BATCH = 1_000;

    private final OwnBatches own = new OwnBatches();

    private static List<StateChange> changes(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(id -> new StateChange(
                        EntityKind.RUN,
                        new MovedRow(id, 1, null, Instant.EPOCH, 1, null, null),
                        null,
                        "INIT",
                        "CREATED"))
                .toList();
    }

    @Test
    void whatWasPutIsTakenOnce() {
        own.put(7, 3, changes(2));

        assertThat(own.take(7)).extracting(row -> row.transition().entityId()).containsExactly(1L, 2L);
        assertThat(own.take(7)).isNull();
        assertThat(own.take(8)).isNull();
    }

    @Test
    void theOldestGoWhenThereAreTooMany() {
        for (int batch = 1; batch <= 25; batch++) {
            own.put(batch, 1, changes(BATCH));
        }

        assertThat(own.take(5)).isNull();
        assertThat(own.take(6)).hasSize(BATCH);
        assertThat(own.take(25)).hasSize(BATCH);
    }

    @Test
    void whatWasTakenMakesRoom() {
        for (int batch = 1; batch <= 100; batch++) {
            own.put(batch, 1, changes(BATCH));
            if (batch > 1) {
                assertThat(own.take(batch)).hasSize(BATCH);
            }
        }

        assertThat(own.take(1)).hasSize(BATCH);
    }
}
