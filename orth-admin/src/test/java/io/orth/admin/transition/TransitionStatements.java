package io.orth.admin.transition;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Every statement about transitions, for tests of other packages. */
public final class TransitionStatements {

    private static final Duration LONG = Duration.ofDays(1);

    private TransitionStatements() {}

    /** In the caller's transaction; {@code size} at a time. */
    public static void exercise(AdminFixture admin, int size) {
        admin.journal.append(IntStream.rangeClosed(1, size)
                .mapToObj(id -> new StateChange(
                        EntityKind.RUN, new MovedRow(id, 9, null, Instant.now(), 1, 1L, null), "A", "B", "TEST"))
                .toList());
        admin.journal.list(EntityKind.RUN, 7);
        relay(new JournalRepository(admin.jdbc), size);
        feed(new SinkRepository(admin.jdbc));
        TransitionRows rows = new TransitionRows(admin.jdbc, List.of());
        rows.of(LongStream.rangeClosed(1, size)
                .mapToObj(batch -> new JournalRepository.Batch(batch, batch, 1, Instant.now()))
                .toList());
        new TransitionFeed(new JournalRepository(admin.jdbc), rows).after(0, size);
    }

    private static void relay(JournalRepository journal, int size) {
        journal.anyFresh();
        journal.oldestFresh();
        journal.givePositions(size);
        journal.head();
        journal.oldest();
        journal.oldestAfter(5);
        journal.after(5, size);
        journal.changes(5, 5 + size);
        journal.outOfBounds(5, LONG, size, size);
        journal.prune(5, LONG, size);
    }

    private static void feed(SinkRepository sinks) {
        sinks.enter(List.of("file", "webhook-crm"));
        sinks.position("file");
        sinks.lock("file");
        sinks.took("file", 1, 1, 0);
        sinks.failed("file", "no");
        sinks.skip("file", 2, 1);
        sinks.list();
        sinks.prune(LONG, List.of("file"));
    }
}
