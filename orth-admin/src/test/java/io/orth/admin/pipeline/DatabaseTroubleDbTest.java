package io.orth.admin.pipeline;

import static io.orth.admin.pipeline.PipelineFixture.ok;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.registry.Target;
import io.orth.protocol.TaskVerdict;
import io.orth.testkit.TestDatabase;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Statements that fail once because of the database: rows locked by an admin that stalls in a transaction (55P03), the connection
 * of that admin terminated (25P03), a statement timeout (57014), a server that stops (57P01), a standby (25006), too many connections
 * (53300). No task, run or outbox entry uses an attempt or fails because of that.
 */
@Tag("must-first")
class DatabaseTroubleDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private PipelineFixture given;
    private Target executor;
    private long run;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        given = admin.pipelines;
        executor = admin.executor(admin.group("workers"), "one", "http://127.0.0.1:9991");
        given.define("books", "courses");
        run = given.submit("books", "c1");
        given.reconcile();
        execute("create sequence trouble");
    }

    @AfterEach
    void tearDown() {
        execute("drop trigger if exists trouble on orth_pipeline_task");
        execute("drop trigger if exists trouble on orth_pipeline_run");
        execute("drop trigger if exists trouble on orth_outbox");
        execute("drop function if exists trouble");
        execute("drop sequence trouble");
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "25P03", "53300", "55P03", "57014", "57P01"})
    void countsRepeatedResultAfterDatabaseFailure(String state) {
        TaskKey key = given.work("courses", executor).get(0);
        failOnce("orth_pipeline_task", state);

        assertThatThrownBy(() -> given.finish(executor, ok(key))).isInstanceOf(RuntimeException.class);
        assertThat(given.tasksOf(run, 0)).containsExactly("c1 RUNNING");
        assertThat(given.finish(executor, ok(key))).isEqualTo(TaskVerdict.RECORDED);

        given.reconcile();
        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(given.journalOf(EntityKind.PIPELINE_TASK, key.taskId()))
                .last()
                .isEqualTo("RUNNING->COMPLETED COMPLETED");
        assertThat(given.tasks.get(key.taskId()).attempts()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"25006", "25P03", "53300", "55P03", "57014", "57P01"})
    void outboxEntryUsesNoAttemptOnDatabaseFailure(String state) {
        failOnce("orth_outbox", state);

        assertThatThrownBy(given.dispatcher::run).isInstanceOf(RuntimeException.class);
        assertThat(outbox("attempts || ' ' || coalesce(last_error, 'none')")).containsExactly("0 none");
        given.dispatch();

        assertThat(outbox("attempts || ' ' || (sent_at is not null)")).containsExactly("1 true");
    }

    @Test
    void doesNotDeferRunAfterLostConnection() {
        given.finish(executor, ok(given.work("courses", executor).get(0)));
        execute("update orth_pipeline_run set look_at = clock_timestamp()");
        failOnce("orth_pipeline_run", "57P01");

        assertThatThrownBy(given.reconciler::run).isInstanceOf(RuntimeException.class);
        given.reconcile();

        assertThat(given.statusOf(run)).isEqualTo(PipelineRunStatus.COMPLETED);
        assertThat(admin.jdbc
                        .sql("select count(*) from orth_execution_log where phase = 'error'")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    private List<String> outbox(String what) {
        return admin.jdbc
                .sql("select %s from orth_outbox".formatted(what))
                .query(String.class)
                .list();
    }

    /** A sequence does not roll back with its transaction, so only the first update fails. */
    private void failOnce(String table, String state) {
        execute("""
                create function trouble() returns trigger language plpgsql as $$
                begin
                    if nextval('trouble') = 1 then
                        raise exception 'trouble %s' using errcode = '%s';
                    end if;
                    return new;
                end
                $$
                """.formatted(state, state));
        execute("create trigger trouble before update on %s for each row execute function trouble()".formatted(table));
    }

    private void execute(String sql) {
        admin.jdbc.sql(sql).update();
    }
}
