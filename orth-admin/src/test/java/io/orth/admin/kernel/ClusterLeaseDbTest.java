package io.orth.admin.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.runtime.Duty;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.transaction.TransactionException;

class ClusterLeaseDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private ClusterLease mine;
    private ClusterLease theirs;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
        mine = lease("a");
        theirs = lease("b");
    }

    @Test
    void oneNodeHoldsIt() {
        assertThat(mine.hold()).hasValue(1);
        assertThat(theirs.hold()).isEmpty();
    }

    @Test
    void renewingKeepsTheTerm() {
        mine.hold();

        assertThat(mine.hold()).hasValue(1);
    }

    @Test
    void aTakeoverRaisesTheTermAndFencesTheOldHolder() {
        long term = mine.hold().getAsLong();
        expire();

        OptionalLong taken = theirs.hold();

        assertThat(taken).hasValue(term + 1);
        assertThat(admin.transactions.call(() -> mine.confirm(term))).isFalse();
        assertThat(admin.transactions.call(() -> theirs.confirm(term + 1))).isTrue();
        assertThat(mine.hold()).isEmpty();
    }

    @Test
    void doesNotConfirmExpiredLeaseEvenIfUntaken() {
        long term = mine.hold().getAsLong();
        expire();

        assertThat(admin.transactions.call(() -> mine.confirm(term))).isFalse();
    }

    @Test
    @Timeout(60)
    void holderSilentInTransactionDoesNotBlockOthers() {
        long term = mine.hold().getAsLong();

        assertThatThrownBy(() -> admin.transactions.run(() -> {
                    mine.confirm(term);
                    CompletableFuture<OptionalLong> taken = CompletableFuture.supplyAsync(() -> {
                        expire();
                        return theirs.hold();
                    });
                    assertThat(taken).succeedsWithin(Duration.ofSeconds(10)).isEqualTo(OptionalLong.of(term + 1));
                }))
                .as("it was cut off")
                .isInstanceOf(TransactionException.class);
        assertThat(admin.transactions.call(() -> theirs.confirm(term + 1))).isTrue();
    }

    @Test
    void releasedLeaseIsAcquiredImmediately() {
        mine.hold();
        mine.release();

        assertThat(theirs.hold()).hasValue(2);
    }

    @Test
    void loopRunsOnlyWhileLeaseIsHeld() throws Exception {
        LeasedDuty held = new LeasedDuty(mine, term -> Duty.Pass.MORE);
        LeasedDuty other = new LeasedDuty(theirs, term -> {
            throw new AssertionError("must not run");
        });

        assertThat(held.run()).isEqualTo(Duty.Pass.MORE);
        assertThat(other.run()).isEqualTo(Duty.Pass.DRAINED);
    }

    private ClusterLease lease(String node) {
        return new ClusterLease(admin.jdbc, "duty", new Node(node, "host", 1, "test"), Duration.ofMinutes(1));
    }

    private void expire() {
        admin.jdbc
                .sql("update orth_lease set expires_at = now() - interval '1 second'")
                .update();
    }
}
