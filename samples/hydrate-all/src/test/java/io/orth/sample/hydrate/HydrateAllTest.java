package io.orth.sample.hydrate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.HandlerRegistry;
import io.orth.executor.test.FinishedTask;
import io.orth.executor.test.TestTask;
import io.orth.sample.hydrate.FakeChat.Answer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Tag("must-pipelines")
@Timeout(30)
class HydrateAllTest {

    @TempDir
    Path directory;

    private final AtomicInteger written = new AtomicInteger();
    private String version = "1";
    private ContentStore store;

    @BeforeEach
    void open() {
        store = new FileContentStore(directory);
    }

    @Test
    void expandsCourseIntoChaptersAndTopics() throws Exception {
        FinishedTask course = task("courses", offline())
                .target("course", "algebra")
                .meta("language", "de")
                .execute();
        FinishedTask.Child first = course.children().get(0);
        FinishedTask chapter = of(first, "chapters", offline()).execute();
        FinishedTask topic = of(chapter.children().get(3), "topics", offline()).execute();

        assertThat(course.children())
                .extracting(FinishedTask.Child::targetId)
                .containsExactly("algebra-1", "algebra-2", "algebra-3");
        assertThat(first.params()).isEqualTo("{\"title\":\"Algebra, Teil 1\"}");
        assertThat(chapter.children()).hasSize(4);
        assertThat(topic.content()).extracting(FinishedTask.Content::ref).containsExactly("topic/algebra-1-4/de");
        assertThat(topic.children()).isEmpty();
        assertThat(store.find("topic/algebra-1-4/de").orElseThrow().body()).contains("Algebra 1-4");
    }

    @Test
    void runWithoutTargetsCoversTheWholeCatalogue() {
        assertThat(task("courses", offline()).target("scope", "all").execute().children())
                .hasSize(12);
        assertThat(task("courses", offline())
                        .target("subject", "science")
                        .execute()
                        .children())
                .hasSize(6);
    }

    @Test
    void unknownCourseFailsWithoutRetry() {
        FinishedTask task =
                task("courses", offline()).target("course", "alchemy").execute();

        assertThat(task.isFailedForGood()).isTrue();
        assertThat(task.run().result().text()).contains("the catalogue has no course 'alchemy'");
    }

    @Test
    void rewritesOnlyMissingOrOutdatedContent() {
        assertThat(topic().execute().result()).contains("\"written\":1");
        FinishedTask again = topic().execute();
        assertThat(again.result()).contains("\"written\":0");
        assertThat(again.content()).extracting(FinishedTask.Content::status).containsExactly("unchanged");

        // Another title, another language, another generator, or on request.
        assertThat(topic().params("{\"title\":\"Groups\"}").execute().result()).contains("\"written\":1");
        assertThat(topic().params("{\"title\":\"Groups\"}")
                        .meta("language", "de")
                        .execute()
                        .result())
                .contains("\"written\":1");
        version = "2";
        assertThat(topic().params("{\"title\":\"Groups\"}").execute().result()).contains("\"written\":1");
        assertThat(topic().params("{\"title\":\"Groups\"}")
                        .options("{\"force\":true}")
                        .execute()
                        .result())
                .contains("\"written\":1");
        assertThat(written).hasValue(5);
    }

    @Test
    void furtherAttemptOfForcedRunKeepsWrittenContent() {
        topic().options("{\"force\":true}").execute();

        topic().options("{\"force\":true}")
                .recorded("topic/t-1/en")
                .attempt(2, 3)
                .execute();

        assertThat(written).hasValue(1);
    }

    @Test
    void theOfflineGeneratorDependsOnTargetAndLanguageOnly() {
        Prompt english = new Prompt("topic", "t-1", "Sets", "en", 0);
        Prompt other = new Prompt("topic", "t-2", "Sets", "en", 0);
        Prompt chinese = new Prompt("topic", "t-1", "Sets", "zh", 0);

        assertThat(offline().generate(english, "a")).isEqualTo(new OfflineGenerator().generate(english, "b"));
        assertThat(offline().generate(new Prompt("topic", "t-1", "Another title", "en", 0), ""))
                .isEqualTo(offline().generate(english, ""));
        assertThat(offline()
                        .generate(new Prompt("course", "c", "Another title", "en", 5), "")
                        .lines()
                        .limit(3))
                .as("into however many parts")
                .isEqualTo(offline()
                        .generate(new Prompt("course", "c", "Sets", "en", 3), "")
                        .lines()
                        .toList());
        assertThat(List.of(offline().generate(other, ""), offline().generate(chinese, "")))
                .doesNotContain(offline().generate(english, ""));
    }

    @Test
    void redactsPrivateData() {
        ContentGenerator indiscreet = new ContentGenerator() {
            @Override
            public String version() {
                return "1";
            }

            @Override
            public String generate(Prompt prompt, String traceparent) {
                throw new IllegalStateException("quota of ann@example.org, +49 30 1234567, sk-abcdefgh1234 is used up");
            }
        };

        FinishedTask task = task("topics", indiscreet)
                .target("topic", "t")
                .params("{\"title\":\"x\"}")
                .execute();

        assertThat(task.run().result().text()).contains("quota of [redacted], [redacted], [redacted] is used up");
        assertThat(task.run().logText()).doesNotContain("ann@", "1234567", "abcdefgh");
    }

    @Test
    void requeuesTaskWhenEndpointIsThrottled() {
        try (FakeChat chat = new FakeChat()) {
            chat.next.add(Answer.tooMany("90"));
            HydrateAll hydrate = HydrateSettings.from(
                    Map.of("HYDRATE_BASE_URL", chat.address().toString()), directory);

            FinishedTask task = TestTask.of(
                            hydrate.addTo(HandlerRegistry.builder()).build(), "hydrateAll", "topics")
                    .target("topic", "t")
                    .params("{\"title\":\"Sets\"}")
                    .execute();

            assertThat(task.errorCode()).isEqualTo("RETRY_LATER");
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void aWrongSettingIsNamed() {
        assertThatThrownBy(() -> HydrateSettings.from(Map.of("HYDRATE_BASE_URL", "ftp://x"), directory))
                .hasMessage("HYDRATE_BASE_URL must be an http or https address, got 'ftp://x'");
        assertThatThrownBy(() -> HydrateSettings.from(Map.of("HYDRATE_RETRIES", "many"), directory))
                .hasMessage("HYDRATE_RETRIES must be a number from 0 to 10, got 'many'");
        assertThatThrownBy(() -> HydrateSettings.from(
                        Map.of("HYDRATE_DB_URL", "jdbc:postgresql:x", "HYDRATE_DB_PASSWORD_FILE", "/no/file"),
                        directory))
                .hasMessage("HYDRATE_DB_PASSWORD_FILE: /no/file cannot be read");
        assertThatThrownBy(() -> HydrateSettings.from(Map.of("HYDRATE_DB_URL", "jdbc:nothing"), directory))
                .hasMessageStartingWith("HYDRATE_DB_URL: the database cannot be used");
    }

    @Test
    void aReferenceNeverLeavesTheDirectory() throws Exception {
        store.save(new ContentStore.Content("topic/../../etc/x", "en", "h", "g", "b"));

        try (var files = Files.list(directory)) {
            assertThat(files).hasSize(1);
        }
        assertThat(store.find("topic/../../etc/x").orElseThrow().body()).isEqualTo("b");
    }

    private TestTask topic() {
        return task("topics", new ContentGenerator() {
                    @Override
                    public String version() {
                        return version;
                    }

                    @Override
                    public String generate(Prompt prompt, String traceparent) {
                        return prompt.title() + written.incrementAndGet();
                    }
                })
                .target("topic", "t-1")
                .params("{\"title\":\"Sets\"}")
                .meta("language", "en");
    }

    private TestTask of(FinishedTask.Child child, String stage, ContentGenerator generator) {
        TestTask task = task(stage, generator)
                .target(child.targetType(), child.targetId())
                .params(child.params());
        child.meta().forEach(task::meta);
        return task;
    }

    private TestTask task(String stage, ContentGenerator generator) {
        HydrateAll hydrate =
                new HydrateAll(Catalogue.builtIn(), generator, store, new Redaction(), Duration.ofMinutes(1));
        return TestTask.of(hydrate.addTo(HandlerRegistry.builder()).build(), "hydrateAll", stage);
    }

    private static OfflineGenerator offline() {
        return new OfflineGenerator();
    }
}
