package io.orth.sample.hydrate;

import io.orth.executor.FailForGoodException;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.PipelineWorker;
import io.orth.executor.StageHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stages of the pipeline: courses are divided into chapters, chapters into topics, and topics are written. What is there and would
 * be written the same way today is kept, so a run again writes what is missing or out of date only.
 */
public final class HydrateAll {

    static final String PIPELINE = "hydrateAll";

    private static final Logger log = LoggerFactory.getLogger(HydrateAll.class);
    private static final int CHAPTERS = 3;
    private static final int TOPICS = 4;
    private static final int CONCURRENCY = 8;

    /** The {@code options} of a run: whether to write everything again, and into how many parts to divide. */
    record Options(Optional<Boolean> force, Optional<Integer> chapters, Optional<Integer> topics) {}

    /** The parameters of a chapter or a topic. */
    record Part(String title) {}

    /** What became of one text. */
    private record Written(String body, boolean anew) {}

    private final Catalogue catalogue;
    private final ContentGenerator generator;
    private final ContentStore store;
    private final UnaryOperator<String> redaction;
    private final Duration timeout;

    /** @param redaction what everything that is told goes through */
    HydrateAll(
            Catalogue catalogue,
            ContentGenerator generator,
            ContentStore store,
            UnaryOperator<String> redaction,
            Duration timeout) {
        this.catalogue = catalogue;
        this.generator = generator;
        this.store = store;
        this.redaction = redaction;
        this.timeout = timeout;
    }

    /** Has an executor work on the three stages. */
    public HandlerRegistry.Builder addTo(HandlerRegistry.Builder handlers) {
        return handlers.addStage(worker("courses", this::course))
                .addStage(worker("chapters", this::chapter))
                .addStage(worker("topics", this::topic));
    }

    private PipelineWorker worker(String stage, StageHandler handler) {
        return PipelineWorker.of(PIPELINE, stage, handler)
                .concurrency(CONCURRENCY)
                .timeout(timeout)
                .redact(redaction);
    }

    private Object course(PipelineTaskContext task) throws Exception {
        List<Catalogue.Course> courses = catalogue.of(task.targetType(), task.targetId());
        if (courses.isEmpty()) {
            throw new FailForGoodException(
                    "the catalogue has no %s '%s'".formatted(task.targetType(), task.targetId()));
        }
        int parts = bounded("chapters", task.options(Options.class).chapters(), CHAPTERS);
        int written = 0;
        for (Catalogue.Course course : courses) {
            written +=
                    divide(task, new Prompt("course", course.id(), course.title(), languageOf(task), parts), "chapter");
        }
        return Map.of("courses", courses.size(), "written", written);
    }

    private Object chapter(PipelineTaskContext task) throws Exception {
        int parts = bounded("topics", task.options(Options.class).topics(), TOPICS);
        return Map.of("written", divide(task, promptOf(task, parts), "topic"));
    }

    private Object topic(PipelineTaskContext task) throws Exception {
        Written topic = write(task, promptOf(task, 0));
        return Map.of(
                "written", topic.anew() ? 1 : 0, "characters", topic.body().length());
    }

    /** Proposes a task for each part; returns how many texts were written. */
    private int divide(PipelineTaskContext task, Prompt prompt, String partType) throws Exception {
        Written outline = write(task, prompt);
        List<String> titles = outline.body()
                .lines()
                .map(String::strip)
                .filter(title -> !title.isEmpty())
                .limit(prompt.items())
                .toList();
        for (int i = 0; i < titles.size(); i++) {
            task.child(partType, "%s-%d".formatted(prompt.id(), i + 1), new Part(titles.get(i)));
        }
        task.step(Map.of("target", prompt.id(), "parts", titles.size(), "written", outline.anew()));
        return outline.anew() ? 1 : 0;
    }

    /** Its own short transaction here, and one at the admin; nothing is open while somebody writes. */
    private Written write(PipelineTaskContext task, Prompt prompt) throws Exception {
        String ref = "%s/%s/%s".formatted(prompt.kind(), prompt.id(), prompt.language());
        boolean force = task.options(Options.class).force().orElse(false);
        Optional<ContentStore.Content> kept = store.find(ref)
                .filter(content -> content.isFresh(prompt, generator))
                // What this task has written before, in an earlier attempt, is new enough for whoever wants all anew.
                .filter(content -> !force || task.hasContent(ref));
        if (kept.isPresent()) {
            task.content(ref, sizeOf(kept.get().body()), "unchanged");
            return new Written(kept.get().body(), false);
        }
        String body = generator.generate(prompt, task.traceparent());
        store.save(new ContentStore.Content(ref, prompt.language(), prompt.hash(), generator.version(), body));
        task.content(ref, sizeOf(body));
        String told = redaction.apply("wrote %s, %d characters".formatted(ref, body.length()));
        // For who looks at the task, and for who looks at the program: the MDC says there which run and trace it was.
        OrthJobHelper.log("{}", told);
        log.info("{}", told);
        return new Written(body, true);
    }

    private static Prompt promptOf(PipelineTaskContext task, int parts) {
        String title = task.params(Part.class).title();
        return new Prompt(
                task.targetType(), task.targetId(), title == null ? task.targetId() : title, languageOf(task), parts);
    }

    private static String languageOf(PipelineTaskContext task) {
        return task.meta().getOrDefault("language", "en");
    }

    private static int bounded(String name, Optional<Integer> wanted, int otherwise) {
        int parts = wanted.orElse(otherwise);
        if (parts < 1 || parts > 1_000) {
            throw new FailForGoodException("options.%s must be between 1 and 1000, got %d".formatted(name, parts));
        }
        return parts;
    }

    private static long sizeOf(String body) {
        return body.getBytes(StandardCharsets.UTF_8).length;
    }
}
