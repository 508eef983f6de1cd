package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.testkit.TestDatabase;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The database loses the last commits, as in a failover to an asynchronous replica, while the executor stays online. */
@Tag("must-first")
class LostWorkE2eTest {

    private static final Duration WITHIN = Duration.ofMinutes(2);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    @Test
    void closesWorkFinishedOrUnknownAtItsExecutor() {
        String java = Installation.javas().get(0);
        try (Cluster cluster = new Cluster(Database.of(db), directory, List.of("orth.registry.verify-interval=1s"))) {
            Api api = cluster.addAdmin(java).awaitReady().api();
            cluster.startExecutor(api, java);
            String endless = trigger(api, cluster.addEndlessJob(api, "endless"));
            cluster.releaseHeld();
            String finished = trigger(api, cluster.addHeldJob(api, "quick"));
            awaitStatus(api, finished, "SUCCESS");
            awaitStatus(api, endless, "PENDING");
            long message = Long.parseLong(
                    api.post("/api/queues/%s/messages".formatted(WitnessExecutor.QUEUE), Map.of("payload", "x"))
                            .requiredText("id"));
            await().atMost(WITHIN)
                    .until(() -> cluster.count("select count(*) from orth_message_history where id = " + message) == 1);

            String unknown = Long.toString(Long.parseLong(finished) + 1);
            copyToPending(cluster, finished, unknown);
            copyToPending(cluster, finished, finished);
            cluster.sql()
                    .sql("delete from orth_run_history where id = " + finished)
                    .update();
            putBackToRunning(cluster, message);

            awaitStatus(api, finished, "SUCCESS");
            awaitStatus(api, unknown, "FAILED");
            assertThat(api.get("/api/runs/" + unknown).text("cause")).isEqualTo("LOST");
            await().atMost(WITHIN)
                    .until(() -> cluster.count("select count(*) from orth_message_history where id = " + message) == 1);
            assertThat(cluster.witnessedMessages("executor")).containsExactly(message);
            assertThat(api.get("/api/runs/" + endless).text("status")).isEqualTo("PENDING");
        }
    }

    private static String trigger(Api api, String job) {
        return api.post("/api/jobs/%s/trigger".formatted(job), Map.of()).requiredText("runId");
    }

    private static void awaitStatus(Api api, String run, String status) {
        await().atMost(WITHIN)
                .until(() -> status.equals(api.get("/api/runs/" + run).text("status")));
    }

    private static void copyToPending(Cluster cluster, String finished, String id) {
        cluster.sql().sql("""
                        insert into orth_run
                        select (jsonb_populate_record(null::orth_run, to_jsonb(h) || jsonb_build_object(
                                   'id', %s, 'status', 'PENDING', 'cause', 'ACCEPTED', 'handle_code', 0, 'handle_msg', null,
                                   'finished_at', null, 'status_at', now() - interval '1 minute'))).*
                          from orth_run_history h
                         where id = %s
                        """.formatted(id, finished)).update();
    }

    private static void putBackToRunning(Cluster cluster, long message) {
        cluster.sql().sql("""
                        with done as (
                            delete from orth_message_history where id = %d returning *
                        )
                        insert into orth_message
                        select (jsonb_populate_record(null::orth_message, to_jsonb(done) || jsonb_build_object(
                                   'status', 'RUNNING', 'status_at', now() - interval '1 minute', 'queued_at', pushed_at,
                                   'blocked', false, 'size', 1))).*
                          from done
                        """.formatted(message)).update();
    }
}
