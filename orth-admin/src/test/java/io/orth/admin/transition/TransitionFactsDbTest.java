package io.orth.admin.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.pipeline.PipelineFixture;
import io.orth.admin.pipeline.TaskKey;
import io.orth.admin.queue.QueueFixture;
import io.orth.admin.registry.Target;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Codes;
import io.orth.protocol.MessageResult;
import io.orth.protocol.StateTransition;
import io.orth.protocol.StateTransition.Work;
import io.orth.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Transitions of tasks and messages carry the facts of their work, whether this or another node wrote them. */
@Tag("must-kernel")
class TransitionFactsDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final RelayFixture.Remembering sink = new RelayFixture.Remembering("sink");
    private AdminFixture admin;
    private Target executor;
    private RelayFixture relay;

    @BeforeEach
    void setUp() {
        admin = new AdminFixture(db);
        executor = admin.executor(admin.group("group"), "i1", "http://127.0.0.1:9999/");
        relay = new RelayFixture(admin, "node-a", RelayFixture.PROPERTIES, () -> 0, sink);
    }

    private List<StateTransition> relayed(EntityKind kind, long id) throws Exception {
        relay.relay();
        return sink.told.stream()
                .map(RelayedTransition::transition)
                .filter(each -> each.entity().equals(kind.name()) && each.entityId() == id)
                .toList();
    }

    @Test
    void transitionsOfTaskCarryPipelineStageTargetHandlerAndAttempt() throws Exception {
        admin.pipelines.define("hydrate", "courses", "chapters");
        long run = admin.pipelines.submit("hydrate", "c1");
        TaskKey task = admin.pipelines.work("courses", executor).get(0);

        List<StateTransition> transitions = relayed(EntityKind.PIPELINE_TASK, task.taskId());

        Work work = Work.ofTask(run, "hydrate", "courses", "coursesHandler", "course", "c1");
        assertThat(transitions).extracting(StateTransition::to).containsExactly("PENDING", "CLAIMED", "RUNNING");
        assertThat(transitions)
                .extracting(StateTransition::work)
                .containsExactly(work, work.atAttempt(1), work.atAttempt(1));
        assertThat(admin.journal.list(EntityKind.PIPELINE_TASK, task.taskId()))
                .extracting(StateTransition::work)
                .containsExactly(work, work.atAttempt(1), work.atAttempt(1));
    }

    @Test
    void transitionsOfMessageCarryTaskAndAttempt() throws Exception {
        admin.pipelines.define("hydrate", "courses");
        long run = admin.pipelines.submit("hydrate", "c1");
        admin.pipelines.dispatch();
        ClaimedMessage message =
                admin.pipelines.receive("courses", executor, 10).get(0);

        List<StateTransition> transitions = relayed(EntityKind.MESSAGE, message.id());

        Work work = Work.ofTask(run, "hydrate", "courses", "coursesHandler", "course", "c1")
                .inMessage("q.courses", PipelineFixture.keyOf(message).taskId());
        assertThat(transitions).extracting(StateTransition::work).containsExactly(work, work.atAttempt(1));
    }

    @Test
    void transitionsOfPlainMessagesCarryQueueAndOwnAttempt() throws Exception {
        List<Long> pushed = List.of(
                admin.queues.push("emails", QueueFixture.withAttempts(3)),
                admin.queues.push("emails", QueueFixture.withAttempts(3)));
        fail(admin.queues.claim("emails", executor.executorId(), 1).get(0));
        List<ClaimedMessage> claimed = admin.queues.claim("emails", executor.executorId(), 2);
        assertThat(claimed).extracting(ClaimedMessage::attempt).containsExactlyInAnyOrder(1, 2);

        List<StateTransition> retried = relayed(EntityKind.MESSAGE, pushed.get(0));
        List<StateTransition> other = relayed(EntityKind.MESSAGE, pushed.get(1));

        Work work = Work.ofQueue("emails");
        assertThat(retried)
                .extracting(StateTransition::work)
                .containsExactly(work, work.atAttempt(1), work.atAttempt(1), work.atAttempt(2));
        assertThat(other).extracting(StateTransition::work).containsExactly(work, work.atAttempt(1));
    }

    /** A released attempt does not count, and the transition still names it. */
    @Test
    void transitionOfReturnedMessageCarriesItsAttempt() throws Exception {
        long pushed = admin.queues.pushMany("emails", 1).get(0);
        ClaimedMessage message =
                admin.queues.claim("emails", executor.executorId(), 1).get(0);
        admin.queues.report(
                "emails",
                executor.executorId(),
                new MessageResult(message.id(), message.logId(), Codes.NONE, null, false, null, 0));

        assertThat(relayed(EntityKind.MESSAGE, pushed))
                .extracting(each -> each.work().attempt())
                .containsExactly(null, 1, 1);
    }

    /** Batches written by this node are relayed from memory, with the same facts. */
    @Test
    void relaysOwnBatchesWithTheSameFacts() {
        admin.pipelines.define("hydrate", "courses");
        long run = admin.pipelines.submit("hydrate", "c1");
        TaskKey task = admin.pipelines.work("courses", executor).get(0);

        List<StateTransition> transitions = admin.journal.rows().of(batches()).values().stream()
                .flatMap(List::stream)
                .filter(each -> each.entity().equals("PIPELINE_TASK"))
                .toList();

        Work work = Work.ofTask(run, "hydrate", "courses", "coursesHandler", "course", "c1");
        assertThat(transitions)
                .filteredOn(each -> each.entityId() == task.taskId())
                .extracting(StateTransition::work)
                .contains(work, work.atAttempt(1));
    }

    private List<JournalRepository.Batch> batches() {
        return admin.jdbc
                .sql("select batch, changes, written_at from orth_journal order by batch")
                .query((row, n) -> new JournalRepository.Batch(
                        row.getLong("batch"),
                        0,
                        row.getInt("changes"),
                        row.getTimestamp("written_at").toInstant()))
                .list();
    }

    private void fail(ClaimedMessage message) {
        admin.queues.report(
                "emails",
                executor.executorId(),
                new MessageResult(message.id(), message.logId(), Codes.FAIL, "no", false, 0L, 5));
    }
}
