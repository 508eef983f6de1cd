package io.orth.admin.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.admin.AdminFixture;
import io.orth.admin.kernel.Backoff;
import io.orth.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Definitions that are declared repeatedly, as applications do when they start. */
@Tag("must-pipelines")
class PipelinesDbTest {

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private AdminFixture admin;
    private Pipelines pipelines;

    @BeforeEach
    void setUp() {
        admin = AdminFixture.onEmptied(db);
        pipelines = admin.pipelines.pipelines;
    }

    @Test
    void unchangedDefinitionKeepsVersion() {
        Pipelines.Put first = pipelines.put(spec("books", Duration.ofSeconds(5)), "ann");

        Pipelines.Put again = pipelines.put(spec("books", Duration.ofSeconds(5)), "bob");

        assertThat(first.created()).isTrue();
        assertThat(again.created()).isFalse();
        assertThat(again.pipeline()).isEqualTo(first.pipeline());
        assertThat(pipelines.versions("books")).hasSize(1);
        assertThat(pipelines
                        .put(spec("books", Duration.ofSeconds(6)), "bob")
                        .pipeline()
                        .version())
                .isEqualTo(2);
    }

    /** Stored in milliseconds, the definition would otherwise always differ from its stored form. */
    @Test
    void ignoresDelayBelowOneMillisecond() {
        pipelines.put(spec("books", Duration.ofNanos(1_500_700)), "ann");

        Pipelines.Put again = pipelines.put(spec("books", Duration.ofNanos(1_500_700)), "ann");

        assertThat(again.pipeline().version()).isEqualTo(1);
        assertThat(again.pipeline().stages().get(0).backoff().initialDelay()).isEqualTo(Duration.ofMillis(1));
    }

    @Test
    void concurrentEqualDeclarationsCreateOneVersion() {
        CompletableFuture<Pipelines.Put> second = whileFirstIsBeingMade(spec("books", Duration.ofSeconds(5)));

        assertThat(second.orTimeout(30, TimeUnit.SECONDS).join().created()).isFalse();
        assertThat(second.join().pipeline().version()).isEqualTo(1);
        assertThat(second.join().pipeline().updatedBy()).isEqualTo("ann");
    }

    @Test
    void concurrentSecondDefinitionCreatesNextVersion() {
        CompletableFuture<Pipelines.Put> second = whileFirstIsBeingMade(spec("books", Duration.ofSeconds(9)));

        assertThat(second.orTimeout(30, TimeUnit.SECONDS).join().pipeline().version())
                .isEqualTo(2);
        assertThat(pipelines.versions("books")).hasSize(2);
    }

    /** Bob declares his definition before Ann's is committed. */
    private CompletableFuture<Pipelines.Put> whileFirstIsBeingMade(PipelineSpec bobs) {
        return admin.transactions.call(() -> {
            pipelines.put(spec("books", Duration.ofSeconds(5)), "ann");
            CompletableFuture<Pipelines.Put> second = CompletableFuture.supplyAsync(() -> pipelines.put(bobs, "bob"));
            Awaitility.await().until(() -> waiting() == 1);
            return second;
        });
    }

    private int waiting() {
        return admin.jdbc
                .sql(
                        "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'")
                .query(Integer.class)
                .single();
    }

    @Test
    void rejectsExpectedVersionOfNewPipeline() {
        PipelineSpec third =
                new PipelineSpec("books", "", spec("books", Duration.ZERO).stages(), 3);

        assertThatThrownBy(() -> pipelines.put(third, "ann")).hasMessageContaining("has version 0 by now");
        assertThat(pipelines.list()).isEmpty();
    }

    private static PipelineSpec spec(String name, Duration first) {
        return new PipelineSpec(
                name,
                "",
                List.of(new Stage(
                        "courses",
                        "courses",
                        "q.courses",
                        null,
                        3,
                        new Backoff(first, 1.1, Duration.ofMinutes(1), 0),
                        2,
                        Tolerance.ALL)),
                null);
    }
}
