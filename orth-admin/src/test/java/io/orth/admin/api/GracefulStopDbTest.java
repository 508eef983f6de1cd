package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunStatus;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** An admin is asked to stop while an executor has not answered yet. */
class GracefulStopDbTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final Duration WHILE_NOTHING_HAPPENS = Duration.ofMillis(1_500);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");

    @AfterEach
    void tearDown() {
        executor.close();
    }

    @Test
    void recordsDispatchesInFlightBeforeDatabaseCloses() {
        AdminServer.Running admin = AdminServer.start(db);
        AdminFixture rows = new AdminFixture(db);
        ExecutorGroup group = rows.group("group");
        rows.executor(group, executor.instanceId(), executor.address());
        executor.hang();
        Run run = trigger(admin, rows, group);
        await().atMost(SOON).until(() -> executor.received().size() == 1);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(admin::close);
        assertThat(stopped.copy().completeOnTimeout(null, WHILE_NOTHING_HAPPENS.toMillis(), TimeUnit.MILLISECONDS))
                .succeedsWithin(SOON);
        assertThat(stopped).as("a stop while an answer is outstanding").isNotDone();
        assertThat(rows.statusOf(run)).isEqualTo(RunStatus.INIT);
        executor.resume();

        assertThat(stopped).succeedsWithin(SOON);
        assertThat(rows.statusOf(run)).isEqualTo(RunStatus.PENDING);
        assertThat(executor.received()).hasSize(1);
    }

    private static Run trigger(AdminServer.Running admin, AdminFixture rows, ExecutorGroup group) {
        String job = admin.api()
                .post("/api/jobs", "{\"name\":\"j\",\"groupId\":\"%d\",\"handler\":\"h\"}".formatted(group.id()))
                .header("Location");
        long run = admin.api().post(job + "/trigger", null).json().path("runId").asLong();
        return rows.runs.get(run);
    }
}
