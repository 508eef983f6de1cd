package io.orth.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.queue.QueueFixture;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** First and last time of each group of failures, also after its dead letters were retried. */
@Tag("must-queues")
class DeadLetterGroupsDbTest {

    private static final String QUEUE = "emails";
    private static final Duration KEEP = Duration.ofDays(30);

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private DeadLetterFixture fixture;
    private long worker;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        fixture = new DeadLetterFixture(admin);
        worker = admin.executor(admin.group("mailers"), "ann", "http://127.0.0.1:1001")
                .executorId();
    }

    @Test
    void recordsFirstAndLatestFailureOfGroup() {
        DeadLetter first = dies("disk is full");
        DeadLetter other = dies("no luck");
        dies("disk is full");
        DeadLetter latest = dies("disk is full");
        List<Seen> expected = List.of(new Seen(3, at(first), at(latest)), new Seen(1, at(other), at(other)));

        assertThat(at(first)).isBefore(at(latest));
        assertThat(seen()).isEqualTo(expected);
        fixture.fold();
        assertThat(seen()).isEqualTo(expected);
    }

    @Test
    void failureMovesLastSeenOfFoldedGroup() {
        DeadLetter first = dies("disk is full");
        fixture.fold();

        DeadLetter latest = dies("disk is full");

        assertThat(seen()).containsExactly(new Seen(2, at(first), at(latest)));
        fixture.fold();
        assertThat(seen()).containsExactly(new Seen(2, at(first), at(latest)));
    }

    @Test
    void keepsFirstSeenOfEmptyGroup() {
        DeadLetter first = dies("disk is full");
        fixture.fold();
        retry(first);
        fixture.fold();
        assertThat(seen()).isEmpty();
        assertThat(prune()).isZero();

        DeadLetter again = fails("disk is full");

        assertThat(again.id()).isEqualTo(first.id());
        assertThat(seen()).containsExactly(new Seen(1, at(first), at(again)));
        fixture.fold();
        assertThat(seen()).containsExactly(new Seen(1, at(first), at(again)));
    }

    @Test
    void countsRetentionFromWhenGroupBecameEmpty() {
        DeadLetter old = dies("disk is full");
        fixture.fold();
        admin.jdbc
                .sql("update orth_dead_letter_group set last_seen = now() - interval '40 days'")
                .update();
        lastChanged(old, "40 days");

        retry(old);
        fixture.fold();

        assertThat(prune()).isZero();
    }

    @Test
    void deletesOnlyGroupsEmptyForRetention() {
        DeadLetter old = dies("disk is full");
        DeadLetter young = dies("no luck");
        DeadLetter left = dies("out of memory");
        retry(old);
        retry(young);
        fixture.fold();
        lastChanged(old, "30 days");
        lastChanged(young, "29 days");
        lastChanged(left, "30 days");

        assertThat(prune()).isEqualTo(1);

        assertThat(seen()).extracting(Seen::first).containsExactly(at(left));
        DeadLetter oldAgain = fails("disk is full");
        DeadLetter youngAgain = fails("no luck");
        assertThat(seen())
                .contains(new Seen(1, at(oldAgain), at(oldAgain)), new Seen(1, at(young), at(youngAgain)))
                .hasSize(3);
    }

    /** The listed values of a group. */
    private record Seen(long letters, Instant first, Instant last) {}

    private List<Seen> seen() {
        return fixture.groups.list(DeadLetterFilter.ALL, 10).stream()
                .map(group -> new Seen(group.letters(), group.firstSeen(), group.lastSeen()))
                .toList();
    }

    private static Instant at(DeadLetter letter) {
        return letter.diedAt();
    }

    private DeadLetter dies(String error) {
        admin.queues.push(QUEUE, QueueFixture.withAttempts(1));
        return fails(error);
    }

    /** Claims and fails the first waiting message. */
    private DeadLetter fails(String error) {
        ClaimedMessage claimed = admin.queues.claim(QUEUE, worker, 1).get(0);
        admin.queues.report(QUEUE, worker, new MessageResult(claimed.id(), claimed.logId(), 500, error, true, null, 1));
        DeadLetter newest = fixture.list
                .page(DeadLetterFilter.ALL, OptionalLong.empty(), 1)
                .letters()
                .get(0);
        assertThat(newest.id()).isEqualTo(claimed.id());
        return newest;
    }

    private void retry(DeadLetter letter) {
        admin.queues.driver.retry(QUEUE, Collections.singletonMap(letter.id(), null));
    }

    private int prune() {
        return admin.transactions.call(() -> fixture.groups.prune(KEEP, 10));
    }

    private void lastChanged(DeadLetter one, String ago) {
        assertThat(admin.jdbc
                        .sql("""
                        update orth_dead_letter_group
                           set changed_at = now() - cast(:ago as interval)
                         where fingerprint = :fingerprint
                        """)
                        .param("ago", ago)
                        .param("fingerprint", one.death().fingerprint())
                        .update())
                .isEqualTo(1);
    }
}
