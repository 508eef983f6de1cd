package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.admin.api.WatchedEvents.Event;
import io.orth.testkit.TestDatabase;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Watchers of transitions on two admins, as many as are allowed and one more. */
@Tag("must-transitions")
@Timeout(120)
class TransitionStreamsDbTest {

    private static final int MOST = 200;
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final List<WatchedEvents> watched = new ArrayList<>();
    private final List<AdminServer.Running> admins = new ArrayList<>();
    private int groups;

    @BeforeEach
    void setUp() {
        admins.add(AdminServer.start(db));
    }

    @AfterEach
    void tearDown() {
        watched.forEach(WatchedEvents::close);
        admins.forEach(AdminServer.Running::close);
    }

    private WatchedEvents watch(AdminServer.Running admin, String lastEventId) {
        WatchedEvents stream = WatchedEvents.open(
                URI.create(admin.url() + "/api/transitions/stream?kind=RUN"),
                admins.get(0).apiToken(),
                lastEventId);
        watched.add(stream);
        return stream;
    }

    private WatchedEvents started(AdminServer.Running admin) {
        WatchedEvents stream = watch(admin, null);
        await().atMost(SOON).until(() -> !stream.events().isEmpty());
        return stream;
    }

    /** A disconnected watcher is noticed when something is sent to it. */
    private void makeRuns(int count) {
        AdminFixture rows = new AdminFixture(db);
        for (int i = 0; i < count; i++) {
            rows.unsentRun(rows.group("group-" + groups++));
        }
    }

    @Test
    void everyAdminStreamsTheSameAndCanResumeAnothersStream() {
        admins.add(AdminServer.start(db));
        WatchedEvents first = started(admins.get(0));
        WatchedEvents second = started(admins.get(1));
        makeRuns(5);

        List<Event> told = first.transitions(5).subList(0, 5);

        assertThat(second.transitions(5).subList(0, 5)).isEqualTo(told);
        assertThat(watch(admins.get(1), told.get(2).id()).transitions(2).subList(0, 2))
                .isEqualTo(told.subList(3, 5));
    }

    @Test
    void rejectsExcessStreamUntilOneEnds() {
        AdminServer.Running admin = admins.get(0);
        for (int i = 0; i < MOST; i++) {
            assertThat(watch(admin, null).status()).isEqualTo(200);
        }

        SecuredClient.Answer refused = admin.api().get("/api/transitions/stream");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.body())
                .contains("TOO_MANY_REQUESTS", "200 streams of transitions are being watched already");
        makeRuns(1);
        for (WatchedEvents stream : watched) {
            assertThat(stream.transitions(1)).isNotEmpty();
        }

        watched.remove(0).close();
        await().atMost(SOON).until(() -> {
            makeRuns(1);
            return watch(admin, null).status() == 200;
        });
    }
}
