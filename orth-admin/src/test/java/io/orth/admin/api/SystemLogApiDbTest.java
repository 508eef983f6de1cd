package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The system log over REST, of an admin that runs. */
@Timeout(120)
class SystemLogApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String ARCHIVE = "/api/logs/archive";

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final String word = UUID.randomUUID().toString();
    private SecuredClient api;
    private SystemLog log;

    @BeforeEach
    void setUp() {
        api = admin.api();
        log = admin.context().getBean(SystemLog.class);
    }

    private static List<String> messages(JsonNode page) {
        return page.path("items").values().stream()
                .map(line -> line.path("message").asString())
                .toList();
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    private JsonNode archived(String query) {
        return api.get(ARCHIVE + "?" + query).json();
    }

    private void awaitArchived(String query, int lines) {
        await().atMost(SOON).until(() -> archived(query).path("items").size() == lines);
    }

    @Test
    @Tag("must-queues")
    void listsNewestLinesFirst() {
        log.publish(LogLevel.WARN, "first " + word, "worker-1", "mails");
        log.info("second " + word);

        JsonNode page = api.get("/api/logs").json();

        assertThat(messages(page)).containsSubsequence("second " + word, "first " + word);
        JsonNode first = page.path("items").values().stream()
                .filter(line -> line.path("message").asString().equals("first " + word))
                .findFirst()
                .orElseThrow();
        assertThat(first.path("level").asString()).isEqualTo("WARN");
        assertThat(first.path("workerId").asString()).isEqualTo("worker-1");
        assertThat(first.path("queue").asString()).isEqualTo("mails");
        assertThat(first.path("id").asString()).startsWith(first.path("node").asString());
        assertThat(first.path("at").asString()).endsWith("Z");
        assertThat(page.path("next").isNull()).isTrue();
    }

    @Test
    @Tag("must-queues")
    void liveListIsLimitedToHundredLines() {
        for (int i = 0; i < 130; i++) {
            log.info("%s %d".formatted(word, i));
        }

        JsonNode page = api.get("/api/logs").json();

        assertThat(page.path("items").size()).isEqualTo(100);
        awaitArchived("limit=500&message=" + word, 130);
    }

    @Test
    @Tag("must-queues")
    void streamSendsBacklogThenEachLineOnce() {
        log.info("before " + word);
        try (WatchedEvents watched =
                WatchedEvents.started(URI.create(admin.url() + "/api/logs/stream"), admin.apiToken(), null)) {
            log.publish(LogLevel.ERROR, "after " + word, "w", null);

            await().atMost(SOON).until(() -> told(watched).contains("after " + word));
            awaitArchived("message=" + word, 2);
            log.info("last " + word);
            await().atMost(SOON).until(() -> told(watched).contains("last " + word));
            assertThat(told(watched).stream().filter(message -> message.contains(word)))
                    .containsExactly("before " + word, "after " + word, "last " + word);
        }
    }

    private static List<String> told(WatchedEvents watched) {
        return watched.named("line").stream()
                .map(event -> event.json().path("message").asString())
                .toList();
    }

    @Test
    @Tag("must-queues")
    void theArchiveIsFilteredAndPaged() {
        for (int i = 1; i <= 5; i++) {
            log.publish(
                    i % 2 == 0 ? LogLevel.WARN : LogLevel.INFO, "%s %d%%".formatted(word, i), "w-" + word, "q-" + word);
        }
        awaitArchived("worker_id=w-" + word, 5);

        assertThat(messages(archived("level=WARN&queue=q-" + word))).containsExactly(word + " 4%", word + " 2%");
        assertThat(messages(archived("message=" + encoded(word.toUpperCase(Locale.ROOT) + " 3%"))))
                .containsExactly(word + " 3%");
        assertThat(messages(archived("message=" + encoded("%") + "&queue=none-" + word)))
                .isEmpty();
        assertThat(messages(archived("worker_id=w-%s&from=2999-01-01T00:00:00Z".formatted(word))))
                .isEmpty();
        assertThat(messages(archived("worker_id=w-%s&to=2999-01-01T00:00:00%%2B01:00".formatted(word))))
                .hasSize(5);
        JsonNode first = archived("limit=3&worker_id=w-" + word);
        JsonNode second = archived("limit=3&worker_id=w-%s&after=%s"
                .formatted(word, first.path("next").asString()));
        assertThat(messages(first)).containsExactly(word + " 5%", word + " 4%", word + " 3%");
        assertThat(messages(second)).containsExactly(word + " 2%", word + " 1%");
        assertThat(second.path("next").isNull()).isTrue();
    }

    @ParameterizedTest
    @Tag("must-queues")
    @CsvSource({
        "level, DEBUG",
        "level, error",
        "from, yesterday",
        "to, 2026-11-16",
        "from, +1000000-01-01T00:00:00Z",
        "limit, 0",
        "limit, 501",
        "limit, many",
        "after, -1",
        "after, 99999999999999999999",
        "message, %00",
        "queue, a%00b",
        "worker_id, %00"
    })
    void rejectsBadValueByName(String name, String value) {
        String sent = value.contains("%00") ? value : encoded(value);

        assertInvalid(api.get("%s?%s=%s".formatted(ARCHIVE, name, sent)), name);
    }

    @Test
    @Tag("must-queues")
    void hugeAndStrangeFiltersAreRejectedOrFindNothing() {
        assertInvalid(api.get(ARCHIVE + "?message=" + "x".repeat(201)), "message");
        for (String strange :
                List.of("%%%___\\\\\\", "' or 1=1 --", "\t\u0001\u001b[31m", "😀\u202e", "$1", ":after")) {
            assertThat(messages(archived("message=%s&queue=%s".formatted(encoded(strange), encoded(strange)))))
                    .isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({"/api/logs", "/api/logs/stream", "/api/logs/archive"})
    void rejectsUnauthenticatedRequests(String path) {
        assertThat(admin.anonymous().get(path).status()).isEqualTo(401);
    }
}
