package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.admin.api.WatchedEvents.Event;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Several streams over one connection. */
@Tag("must-first")
@Timeout(120)
class StreamsApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String TRANSITIONS = "/api/transitions/stream?kind=RUN";

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private AdminServer.Running admin;
    private AdminFixture rows;
    private ExecutorGroup group;
    private long run;

    @BeforeEach
    void setUp() {
        admin = AdminServer.start(db);
        rows = new AdminFixture(db);
        group = rows.group("group");
        Target target = rows.executor(group, executor.instanceId(), executor.address());
        executor.log("first line\n");
        run = rows.pendingRun(group, target).id();
    }

    @AfterEach
    void tearDown() {
        admin.close();
        executor.close();
    }

    private String address(String... streams) {
        return "/api/streams?"
                + Arrays.stream(streams)
                        .map(each -> "stream=" + URLEncoder.encode(each, StandardCharsets.UTF_8))
                        .collect(Collectors.joining("&"));
    }

    private WatchedEvents watch(String... streams) {
        return WatchedEvents.open(URI.create(admin.url() + address(streams)), admin.apiToken(), null);
    }

    private static List<Event> awaited(WatchedEvents watched, String name, int count) {
        await().atMost(SOON).until(() -> watched.named(name).size() >= count);
        return watched.named(name);
    }

    private boolean isAccepted(String stream) {
        try (WatchedEvents watched = watch(stream)) {
            await().atMost(SOON)
                    .until(() -> !watched.named("0.log").isEmpty()
                            || !watched.named("0.over").isEmpty());
            return watched.named("0.over").isEmpty();
        }
    }

    private String log(long from) {
        return "/api/runs/%d/log/stream?from=%d".formatted(run, from);
    }

    @Test
    void carriesStreamsOfEveryKindUnderTheirNumbers() {
        try (WatchedEvents watched = watch(TRANSITIONS, log(0), "/api/logs/stream", log(6))) {
            assertThat(watched.status()).isEqualTo(200);
            for (int number = 0; number < 4; number++) {
                awaited(watched, number + ".open", 1);
            }
            Event whole = awaited(watched, "1.log", 1).get(0);
            assertThat(whole.json().path("text").asString()).isEqualTo("first line\n");
            assertThat(whole.id()).isEqualTo("1.11");
            Event rest = awaited(watched, "3.log", 1).get(0);
            assertThat(rest.json().path("text").asString()).isEqualTo("line\n");
            awaited(watched, "2.line", 1);

            awaited(watched, "0.at", 1);
            rows.unsentRun(group);
            assertThat(awaited(watched, "0.transition", 1).get(0).id()).startsWith("0.");
            executor.log("first line\nsecond line\n");
            assertThat(awaited(watched, "1.log", 2).get(1).json().path("text").asString())
                    .isEqualTo("second line\n");
        }
    }

    @Test
    void continuesEachStreamAfterItsOwnLastEvent() {
        rows.unsentRun(group);
        rows.unsentRun(group);
        List<Event> all;
        try (WatchedEvents watched = watch(TRANSITIONS + "&backlog=100")) {
            all = awaited(watched, "0.transition", 3);
        }
        String seen = all.get(0).id().substring("0.".length());
        try (WatchedEvents watched =
                watch(log(0) + "&lastEventId=6", TRANSITIONS + "&backlog=100&lastEventId=" + seen)) {
            assertThat(awaited(watched, "0.log", 1).get(0).json().path("text").asString())
                    .isEqualTo("line\n");
            assertThat(awaited(watched, "1.transition", all.size() - 1).stream().map(each -> each.json()))
                    .startsWith(all.get(1).json());
        }
    }

    @Test
    void rejectedStreamLeavesTheOthersOpen() {
        try (WatchedEvents watched =
                watch("/api/runs/4711/log/stream", TRANSITIONS + "&backlog=many", "/api/jobs", log(0))) {
            assertThat(awaited(watched, "0.over", 1)
                            .get(0)
                            .json()
                            .path("message")
                            .asString())
                    .contains("4711");
            assertThat(awaited(watched, "1.over", 1)
                            .get(0)
                            .json()
                            .path("message")
                            .asString())
                    .contains("backlog");
            awaited(watched, "2.over", 1);
            awaited(watched, "3.log", 1);
            assertThat(watched.named("3.over")).isEmpty();
        }
    }

    @Test
    void endsWhenNoStreamIsLeft() {
        assertThat(admin.api().get(address("/api/runs/4711/log/stream")).body()).contains("event:0.over");
    }

    @Test
    void freesStreamsAfterWatcherDisconnects() {
        String[] many = new String[50];
        Arrays.fill(many, log(0));
        for (int i = 0; i < 4; i++) {
            WatchedEvents watched = watch(many);
            awaited(watched, "49.log", 1);
            watched.close();
        }
        // A disconnected watcher is noticed when the next chunk is sent.
        StringBuilder text = new StringBuilder("first line\n");
        await().atMost(SOON).until(() -> {
            executor.log(text.append("one more\n").toString());
            return isAccepted(log(0));
        });
    }

    @Test
    void rejectsRequestsForNoneOrTooMany() {
        assertInvalid(admin.api().get("/api/streams"), "stream");
        String[] tooMany = new String[51];
        Arrays.fill(tooMany, "/api/logs/stream");
        assertInvalid(admin.api().get(address(tooMany)), "stream");
    }
}
