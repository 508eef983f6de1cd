package io.orth.executor.internal.callback;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.CallbackItem;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class SendQueueTest {

    /** Room for two batches of one result, and for the names of three. */
    private final SendQueue queue = new SendQueue(300, 3);

    @Test
    void keepsOverflowingBatchesOnDiskInOrder() {
        for (int i = 1; i <= 3; i++) {
            queue.add(batch(i));
        }
        assertThat(queue.peek(10, 10_000)).containsExactly(batch(1), batch(2));

        queue.remove(batch(1));
        queue.add(batch(4));

        assertThat(queue.nextFile()).isEqualTo(batch(3).file());
        queue.addRead(batch(3));
        assertThat(queue.peek(10, 10_000)).containsExactly(batch(2), batch(3));
        assertThat(queue.nextFile()).as("memory is well filled").isNull();
        queue.remove(batch(2));
        assertThat(queue.nextFile()).isEqualTo(batch(4).file());
    }

    @Test
    void saysWhenTheDirectoryMustBeLookedAt() {
        for (int i = 1; i <= 6; i++) {
            queue.add(batch(i));
        }
        queue.remove(batch(1));
        queue.remove(batch(2));

        for (int i = 3; i <= 5; i++) {
            assertThat(queue.takeMoreOnDisk()).isFalse();
            assertThat(queue.nextFile()).isEqualTo(batch(i).file());
        }
        assertThat(queue.nextFile()).isNull();
        assertThat(queue.takeMoreOnDisk()).isTrue();
        assertThat(queue.takeMoreOnDisk()).isFalse();
    }

    @Test
    void aBatchIsNotReadTwice() {
        queue.add(batch(1));
        queue.addRead(batch(1));

        assertThat(queue.peek(10, 10_000)).containsExactly(batch(1));
    }

    @Test
    void oneRequestHoldsAtLeastOneBatchAndNoMoreThanItsLimits() {
        queue.add(batch(1));
        queue.add(batch(2));

        assertThat(queue.peek(1, 10_000)).containsExactly(batch(1));
        assertThat(queue.peek(10, 1)).containsExactly(batch(1));
        assertThat(queue.peek(2, 300)).containsExactly(batch(1), batch(2));
    }

    @Test
    void aBatchWithoutAFileWaitsForRoom() throws Exception {
        queue.add(batch(1));
        queue.add(batch(2));
        Batch homeless = new Batch(null, batch(3).items());
        Thread bringer = new Thread(() -> queue.add(homeless));
        bringer.start();
        await().until(() -> bringer.getState() == Thread.State.WAITING);

        queue.remove(batch(1));
        bringer.join();

        assertThat(queue.peek(10, 10_000)).containsExactly(batch(2), homeless);
    }

    private static Batch batch(int id) {
        return new Batch(Path.of("file-" + id), List.of(new CallbackItem(id, 0, 200, null, null)));
    }
}
