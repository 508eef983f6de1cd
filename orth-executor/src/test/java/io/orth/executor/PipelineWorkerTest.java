package io.orth.executor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("must-pipelines")
class PipelineWorkerTest {

    record Page(int number) {}

    static class Good {
        @OrthStage(pipeline = "books", stage = "${stage}", concurrency = 8, timeout = "2m")
        Object page(PipelineTaskContext task, Page page, OrthJobContext context) {
            return page.number();
        }
    }

    static class TwoParams {
        @OrthStage(pipeline = "books", stage = "pages")
        void page(Page page, String params) {}
    }

    static class Twice {
        @OrthStage(pipeline = "books", stage = "pages")
        void page(PipelineTaskContext task, PipelineTaskContext again) {}
    }

    static class Unknown {
        @OrthStage(pipeline = "books", stage = "pages")
        void page(int number) {}
    }

    static class BadTimeout {
        @OrthStage(pipeline = "books", stage = "pages", timeout = "soon")
        void page() {}
    }

    static class NoStage {
        @OrthStage(pipeline = "books", stage = "")
        void page() {}
    }

    @Test
    void readsSettingsFromAnnotation() {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addMethodsOf(new Good(), text -> text.replace("${stage}", "pages"))
                .build();

        assertThat(handlers.stages()).containsExactly("books/pages");
        assertThat(handlers.stageQueues()).singleElement().satisfies(queue -> {
            assertThat(queue.queue()).isEqualTo("pipeline.books.pages");
            assertThat(queue.concurrency()).isEqualTo(8);
            assertThat(queue.timeout()).isEqualTo(Duration.ofMinutes(2));
        });
    }

    @Test
    void aMethodThatCannotBeAWorkerIsNamed() {
        String shape = "may take a PipelineTaskContext, an OrthJobContext and either a String or a record, each once";
        assertRejected(new TwoParams(), shape);
        assertRejected(new Twice(), shape);
        assertRejected(new Unknown(), shape);
        assertRejected(new BadTimeout(), "BadTimeout.page(): timeout");
        assertRejected(new NoStage(), "the names of the pipeline and of the stage must not be empty");
    }

    @Test
    void aQueueHasOneWorker() {
        PipelineWorker worker = PipelineWorker.of("books", "pages", task -> null);

        assertThatThrownBy(() -> HandlerRegistry.builder()
                        .addQueue(QueueWorker.of("shared", context -> null))
                        .addStage(worker.queue("shared")))
                .hasMessage("two workers are for the queue 'shared': the worker of the queue 'shared' and "
                        + "the worker of the stage 'pages' of the pipeline 'books'");
        assertThatThrownBy(() -> HandlerRegistry.builder().addStage(worker).addStage(worker))
                .hasMessageStartingWith("two workers are for the queue 'pipeline.books.pages'");
    }

    @Test
    void settingsThatCannotBeAreNamed() {
        PipelineWorker worker = PipelineWorker.of("books", "pages", task -> null);

        assertThatThrownBy(() -> worker.concurrency(0)).hasMessageContaining("concurrency must be between 1 and 10000");
        assertThatThrownBy(() -> worker.timeout(Duration.ofSeconds(-1))).hasMessageContaining("timeout must be");
        assertThatThrownBy(() -> PipelineWorker.of("books and more", "pages", task -> null))
                .hasMessageContaining("the queue's name must be");
        assertThat(worker.concurrency(5).timeout(Duration.ofSeconds(9)))
                .extracting(PipelineWorker::concurrency, PipelineWorker::timeout)
                .containsExactly(5, Duration.ofSeconds(9));
    }

    private static void assertRejected(Object workers, String message) {
        assertThatThrownBy(() -> HandlerRegistry.builder().addMethodsOf(workers))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
