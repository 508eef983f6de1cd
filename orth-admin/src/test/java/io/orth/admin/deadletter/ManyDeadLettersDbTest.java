package io.orth.admin.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.deadletter.DeadLetterGroups.Group;
import io.orth.admin.deadletter.Operation.Action;
import io.orth.admin.deadletter.Operation.Status;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.TestFaults;
import io.orth.testkit.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** 50,000 dead letters; a million with -Dorth.full=true. */
@Tag("must-queues")
class ManyDeadLettersDbTest {

    private static final int LETTERS = Boolean.getBoolean("orth.full") ? 1_000_000 : 50_000;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private DeadLetterFixture fixture;
    private int queue;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        fixture = new DeadLetterFixture(admin);
        DeadLetterStatements.fill(admin.jdbc, LETTERS);
        queue = admin.queues.queues.get("dead-5").id();
    }

    @AfterEach
    void tearDown() {
        TestFaults.clear();
    }

    @Test
    void listsSearchesAndGroups() {
        assertThat(all(DeadLetterFilter.ALL, 5_000)).isEqualTo(numbers("true"));
        assertThat(all(new DeadLetterFilter(null, queue, null, null, null, null, null, null, null), 500))
                .isEqualTo(numbers("queue_id = " + queue));
        assertThat(all(new DeadLetterFilter(DeadKind.RUN, null, 3, null, null, "print-9", null, null, null), 500))
                .isEqualTo(numbers("job_id = 3 and fingerprint = 'print-9'"))
                .isNotEmpty();
        assertThat(all(new DeadLetterFilter(null, null, null, null, null, null, "Needle in", null, null), 50))
                .isEqualTo(numbers("error = '%s'".formatted(DeadLetterStatements.RARE)))
                .hasSize(1);
        assertThat(all(new DeadLetterFilter(DeadKind.MESSAGE, null, null, null, null, null, "100%", null, null), 50))
                .isEmpty();
        Instant from = at(LETTERS / 4);
        Instant to = at(LETTERS / 4 + 100);
        assertThat(all(new DeadLetterFilter(null, null, null, null, null, null, null, from, to), 30))
                .hasSize(100)
                .isEqualTo(numbers("status_at >= '%s' and status_at < '%s'".formatted(from, to)));

        List<Group> fresh = fixture.groups.list(DeadLetterFilter.ALL, 200);
        fixture.fold();
        assertThat(fixture.groups.list(DeadLetterFilter.ALL, 200))
                .extracting(Group::letters)
                .isEqualTo(fresh.stream().map(Group::letters).toList())
                .isEqualTo(admin.jdbc.sql("""
                                select count(*) from orth_dead_letter group by kind, queue_id, job_id, fingerprint
                                 order by 1 desc limit 200
                                """).query(Long.class).list());
        assertThat(fixture.operations.count(
                        new DeadLetterFilter(null, null, null, null, null, null, "HOST 7", null, null)))
                .isEqualTo(numbers("error ilike '%host 7%'").size());
    }

    @Test
    void retriesAllMessagesOnceDespiteTwoCrashes() {
        DeadLetterFilter messages =
                new DeadLetterFilter(DeadKind.MESSAGE, null, null, null, null, null, null, null, null);
        List<Long> ids = admin.jdbc
                .sql("select id from orth_dead_letter where kind = 'MESSAGE' order by id")
                .query(Long.class)
                .list();
        Operation begun = fixture.operations.begin(Action.RETRY, messages, "ann", "");
        assertThat(begun.progress().total()).isEqualTo(ids.size());

        AtomicInteger parts = new AtomicInteger();
        TestFaults.at(FaultPoints.OPERATION_AFTER_PART, () -> dieAt(parts, 4));
        assertThatThrownBy(() -> DeadLetterFixture.drain(duty())).isInstanceOf(TestFaults.Died.class);
        parts.set(0);
        TestFaults.clear();
        TestFaults.at(FaultPoints.OPERATION_BEFORE_COMMIT, () -> dieAt(parts, 4));
        assertThatThrownBy(() -> DeadLetterFixture.drain(duty())).isInstanceOf(TestFaults.Died.class);
        TestFaults.clear();
        DeadLetterFixture.drain(duty());

        Operation done = fixture.operations.get(begun.id());
        assertThat(done.status()).isEqualTo(Status.DONE);
        assertThat(done.progress()).isEqualTo(new Operation.Progress(ids.size(), ids.size(), 0, 0, null, null));
        assertThat(admin.jdbc
                        .sql("select id from orth_message where status = 'WAITING' and seq = 6 order by id")
                        .query(Long.class)
                        .list())
                .isEqualTo(ids);
        assertThat(numbers("kind = 'MESSAGE'")).isEmpty();
        assertThat(fixture.groups.count(messages)).isZero();
        assertThat(fixture.groups.list(messages, 50)).isEmpty();
        assertThat(fixture.groups.count(DeadLetterFilter.ALL))
                .isEqualTo(numbers("true").size());
    }

    private static void dieAt(AtomicInteger parts, int part) {
        if (parts.incrementAndGet() == part) {
            throw new TestFaults.Died("part " + part);
        }
    }

    private OperationDuty duty() {
        return fixture.duty(new WithRoom(admin.queues.deadMessages));
    }

    /** Never throttles: no executor works on the retried messages, and counting them for each part would dominate the test. */
    private record WithRoom(DeadLetterOwner messages) implements DeadLetterOwner {

        @Override
        public DeadKind kind() {
            return messages.kind();
        }

        @Override
        public Outcome retry(List<DeadRef> letters) {
            return messages.retry(letters);
        }

        @Override
        public Outcome discard(List<DeadRef> letters) {
            return messages.discard(letters);
        }

        @Override
        public Map<Integer, Room> room(Collection<Integer> owners) {
            return owners.stream().collect(Collectors.toMap(owner -> owner, owner -> new Room(LETTERS, "a queue")));
        }
    }

    private Instant at(int number) {
        return admin.jdbc
                .sql("select status_at from orth_dead_letter where no = (select min(no) + :n from orth_dead_letter)")
                .param("n", number)
                .query((row, n) -> row.getTimestamp(1).toInstant())
                .single();
    }

    private List<Long> all(DeadLetterFilter filter, int limit) {
        List<Long> found = new ArrayList<>();
        OptionalLong after = OptionalLong.empty();
        do {
            DeadLetterList.Found page = fixture.list.page(filter, after, limit);
            page.letters().forEach(letter -> found.add(letter.no()));
            after = page.next() == null ? OptionalLong.empty() : OptionalLong.of(page.next());
        } while (after.isPresent());
        return found;
    }

    private List<Long> numbers(String where) {
        return admin.jdbc
                .sql("select no from orth_dead_letter where " + where + " order by no desc")
                .query(Long.class)
                .list();
    }
}
