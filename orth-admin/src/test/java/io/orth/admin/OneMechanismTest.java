package io.orth.admin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mechanisms that must exist once, whatever a class that repeats them is called. */
@Tag("must-kernel")
class OneMechanismTest {

    private static final Path ROOT = Path.of("..");
    private static final Path MAIN = Path.of("src", "main", "java");

    /** A list that is halved, or done one by one after all of it failed. */
    private static final Pattern SPLITS = Pattern.compile(
            "\\.size\\(\\)\\s*/\\s*2|(?:private|static) [^=;(]*[oO]neByOne\\(|one by one\"|subList\\((?:0, )?(?:half|middle)");

    private static final Pattern POSTS_TO_ADMINS = Pattern.compile("[aA]dmins\\.post\\(|[aA]dmins::post");

    private static final Pattern BLAMES = asking("isOfTheData");

    @Test
    void onlyTheSplitterSplitsAFailedBatch() {
        assertThat(sourcesWith("orth-admin", SPLITS)).containsExactly("Splitter.java");
    }

    @Test
    void onlyOneExecutorSenderSplitsRejectedBatches() {
        assertThat(sourcesWith("orth-executor", SPLITS)).containsExactly("BatchSender.java");
    }

    /**
     * Results, records and declarations go to the admins by a {@code BatchSender}. {@code WorkLink} also adds results of messages to
     * claims; if such a request is rejected, they go by the {@code BatchSender} of {@code Reporter}. A heartbeat is one item, repeated by
     * the next one.
     */
    @Test
    void onlyTheseClassesOfAnExecutorPostToAdmins() {
        assertThat(sourcesWith("orth-executor", POSTS_TO_ADMINS))
                .containsExactlyInAnyOrder(
                        "CallbackSender.java",
                        "TaskRecordSender.java",
                        "WorkLink.java",
                        "RegistrationBeat.java",
                        "DeclarationSender.java");
        assertThat(sourcesWith("orth-executor", Pattern.compile("new BatchSender<")))
                .containsExactlyInAnyOrder(
                        "CallbackSender.java", "TaskRecordSender.java", "Reporter.java", "DeclarationSender.java");
    }

    /** Others ask for the item, not for the data, so that all have the same idea of whose fault a failure is. */
    @Test
    void onlyTheKernelClassifiesFailures() {
        assertThat(sourcesWith("orth-admin", BLAMES)).isEmpty();
    }

    /**
     * A class that distinguishes faults of an item from faults of the database could process a batch item by item itself. The
     * queue and the inbox ask before they call the splitter; the start and responses of requests concern no batch.
     */
    @Test
    void onlyTheseClassesUseFailureClassification() {
        assertThat(sourcesWith("orth-admin", asking("isOfTheItem")))
                .containsExactlyInAnyOrder("Splitter.java", "PostgresQueueDriver.java", "InboxIntake.java");
        assertThat(sourcesWith("orth-admin", asking("isCauseOf")))
                .containsExactlyInAnyOrder("StartAttempts.java", "ProblemHandler.java");
        assertThat(sourcesWith("orth-admin", asking("asksToTryAgain"))).containsExactly("Transactions.java");
        assertThat(sourcesWith("orth-admin", Pattern.compile("import static [\\w.]*DatabaseTrouble\\b")))
                .as("would hide such a question")
                .isEmpty();
    }

    /** In all modules: {@code orth-runtime} has them for admin, executor and client. */
    @ParameterizedTest
    @ValueSource(strings = {"Duty", "PeriodicLoop", "Threads", "BoundedBody", "Splitter"})
    void thereIsOneClassOfThatName(String name) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> modules = Files.list(ROOT)) {
            modules.map(module -> module.resolve(MAIN))
                    .filter(Files::isDirectory)
                    .flatMap(OneMechanismTest::sources)
                    .filter(file -> file.getFileName().toString().equals(name + ".java"))
                    .forEach(found::add);
        }

        assertThat(found).hasSize(1);
    }

    @Test
    void responsesAreBoundedInOnePlace() {
        Pattern subscriber = Pattern.compile("implements (?:HttpResponse\\.)?BodySubscriber<byte\\[]>");
        List<String> found = new ArrayList<>();
        for (String module : List.of("orth-runtime", "orth-admin", "orth-executor", "orth-client")) {
            sources(ROOT.resolve(module).resolve(MAIN))
                    .filter(file -> subscriber.matcher(read(file)).find())
                    .forEach(file -> found.add(file.getFileName().toString()));
        }

        assertThat(found).containsExactly("BoundedBody.java");
    }

    private static Pattern asking(String question) {
        return Pattern.compile("DatabaseTrouble\\s*(?:\\.|::)\\s*%s\\b".formatted(question));
    }

    private static List<String> sourcesWith(String module, Pattern pattern) {
        return sources(ROOT.resolve(module).resolve(MAIN))
                .filter(file -> pattern.matcher(read(file)).find())
                .map(file -> file.getFileName().toString())
                .toList();
    }

    private static Stream<Path> sources(Path directory) {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
