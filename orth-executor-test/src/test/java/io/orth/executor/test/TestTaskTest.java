package io.orth.executor.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.FailForGoodException;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.OrthStage;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.PipelineWorker;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-pipelines")
class TestTaskTest {

    record Chapter(String title, int topics) {}

    static final class Workers {

        @OrthStage(pipeline = "books", stage = "chapters", concurrency = 4, timeout = "${timeout}")
        Map<String, Object> chapter(Chapter chapter, PipelineTaskContext task) {
            OrthJobHelper.log("chapter {}", chapter.title());
            for (int i = 1; i <= chapter.topics(); i++) {
                task.child("topic", task.targetId() + "-" + i, Map.of("number", i));
            }
            task.step("planned");
            task.content("chapter/" + task.targetId(), 10, "draft");
            return Map.of("topics", chapter.topics(), "language", task.meta().get("language"));
        }
    }

    @Test
    void runsMethodAndExposesItsReports() {
        FinishedTask task = TestTask.of(new Workers(), "books", "chapters")
                .target("chapter", "c")
                .params("{\"title\":\"Sets\",\"topics\":2}")
                .meta("language", "en")
                .execute();

        assertThat(task.isSuccess()).isTrue();
        assertThat(task.result()).contains("\"topics\":2", "\"language\":\"en\"");
        assertThat(task.children())
                .containsExactly(
                        new FinishedTask.Child("topic", "c-1", "{\"number\":1}", Map.of("language", "en")),
                        new FinishedTask.Child("topic", "c-2", "{\"number\":2}", Map.of("language", "en")));
        assertThat(task.steps()).containsExactly("{\"text\":\"planned\"}");
        assertThat(task.content()).containsExactly(new FinishedTask.Content("chapter/c", 10, "draft"));
        assertThat(task.run().log()).containsExactly("chapter Sets");
        assertThat(task.errorCode()).isNull();
    }

    @Test
    void invalidParametersFailTaskWithoutRetry() {
        FinishedTask task = TestTask.of(new Workers(), "books", "chapters")
                .params("{\"title\":\"Sets\",\"topics\":\"many\"}")
                .execute();

        assertThat(task.isFailedForGood()).isTrue();
        assertThat(task.errorCode()).isEqualTo("BAD_PARAMS");
        assertThat(task.children()).isEmpty();
    }

    @Test
    void skipsContentRecordedByEarlierAttempt() {
        AtomicInteger made = new AtomicInteger();
        PipelineWorker worker = PipelineWorker.of("books", "pages", task -> {
            task.content("a", made::incrementAndGet);
            task.content("b", made::incrementAndGet);
            return task.attempt() + (task.isLastAttempt() ? " last" : "");
        });

        FinishedTask task = TestTask.of(worker).recorded("a").attempt(3, 3).execute();

        assertThat(made).hasValue(1);
        assertThat(task.result()).isEqualTo("\"3 last\"");
        assertThat(task.content()).extracting(FinishedTask.Content::ref).containsExactly("b");
    }

    @Test
    void aFailureProposesNoChildren() {
        FinishedTask task = TestTask.of(PipelineWorker.of("books", "pages", running -> {
                    running.child("line", "1");
                    throw new FailForGoodException("no such book");
                }))
                .execute();

        assertThat(task.errorCode()).isEqualTo("FAILED_FOR_GOOD");
        assertThat(task.children()).isEmpty();
    }

    @Test
    void aCancelledTaskIsInterrupted() {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        FinishedTask task = TestTask.of(PipelineWorker.of("books", "pages", running -> {
                    begun.complete(null);
                    new CountDownLatch(1).await();
                    return null;
                }))
                .cancelWhen(begun)
                .execute();

        assertThat(task.isSuccess()).isFalse();
        assertThat(task.run().result().text()).contains("cancelled by the test");
    }

    @Test
    void namesStageWithoutWorker() {
        assertThatThrownBy(() -> TestTask.of(new Workers(), "books", "pages"))
                .hasMessage("there is no worker for the stage 'pages' of 'books', only for [books/chapters]");
    }
}
