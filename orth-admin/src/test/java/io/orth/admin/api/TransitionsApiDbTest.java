package io.orth.admin.api;

import static io.orth.admin.api.JobsApiDbTest.assertInvalid;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.orth.admin.api.WatchedEvents.Event;
import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.transition.TransitionFeed;
import io.orth.admin.transition.TransitionJournal;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.JsonNode;

/** Transitions over REST: as they happen, as timelines, and with their access rules. */
@Timeout(120)
class TransitionsApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(30);
    private static final String STREAM = "/api/transitions/stream";

    /** No other test uses the entities of these tests. */
    private static final AtomicLong ENTITY = new AtomicLong(1L << 40);

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    private final long entity = ENTITY.incrementAndGet();
    private SecuredClient api;
    private String group;

    @BeforeEach
    void setUp() {
        api = admin.api();
        group = api.post("/api/groups", "{\"name\":\"g-%s\"}".formatted(UUID.randomUUID()))
                .json()
                .path("id")
                .asString();
    }

    private WatchedEvents watch(String query, String lastEventId) {
        return WatchedEvents.started(URI.create(admin.url() + STREAM + query), admin.apiToken(), lastEventId);
    }

    /** Those of this test's own entity. */
    private WatchedEvents watchOwn(String lastEventId) {
        return watch("?entityId=" + entity, lastEventId);
    }

    /** Writes transitions of this test's entity in one transaction. */
    private void write(int... sequences) {
        Instant now = Instant.now();
        List<StateChange> changes = IntStream.of(sequences)
                .mapToObj(sequence -> new StateChange(
                        EntityKind.RUN,
                        new MovedRow(entity, sequence, sequence == 1 ? null : now, now, 1, null, null),
                        sequence == 1 ? null : "BEFORE",
                        "AFTER",
                        "TEST"))
                .toList();
        admin.context()
                .getBean(Transactions.class)
                .run(() -> admin.context().getBean(TransitionJournal.class).append(changes));
    }

    private static List<Integer> sequences(List<Event> events) {
        return events.stream().map(Event::sequence).toList();
    }

    private static List<Integer> upTo(int last) {
        return IntStream.rangeClosed(1, last).boxed().toList();
    }

    private String job(String name) {
        return api.post("/api/jobs", "{\"name\":\"%s\",\"groupId\":\"%s\",\"handler\":\"h\"}".formatted(name, group))
                .header("Location");
    }

    private String trigger(String job) {
        return api.post(job + "/trigger", null).json().path("runId").asString();
    }

    private static String idOf(String location) {
        return location.substring(location.lastIndexOf('/') + 1);
    }

    @Test
    @Tag("must-transitions")
    void streamsNewTransitionsWithAllFields() {
        try (WatchedEvents before = watchOwn(null)) {
            write(1);
            before.transitions(1);
        }
        try (WatchedEvents watched = watchOwn(null)) {
            write(2);

            JsonNode told = watched.transitions(1).get(0).json();
            assertThat(told.path("id").asString())
                    .isEqualTo(watched.transitions().get(0).id());
            assertThat(told.path("entity").asString()).isEqualTo("RUN");
            assertThat(told.path("entityId").asString()).isEqualTo(Long.toString(entity));
            assertThat(told.path("sequence").asInt()).isEqualTo(2);
            assertThat(told.path("from").asString()).isEqualTo("BEFORE");
            assertThat(told.path("millisInFrom").asInt()).isZero();
            assertThat(told.path("writer").path("thread").asString())
                    .isEqualTo(Thread.currentThread().getName());
        }
    }

    @Test
    @Tag("must-transitions")
    void resumesAfterAnyIdWithoutGapsOrDuplicates() {
        List<Event> all;
        try (WatchedEvents watched = watchOwn(null)) {
            write(1, 2, 3);
            write(4);
            write(5, 6, 7, 8);
            all = watched.transitions(8);
            assertThat(sequences(all)).isEqualTo(upTo(8));
        }

        for (int seen = 1; seen < all.size(); seen++) {
            String last = all.get(seen - 1).id();
            try (WatchedEvents byHeader = watchOwn(last);
                    WatchedEvents byQuery = watch("?entityId=%d&after=%s".formatted(entity, last), null)) {
                int remaining = all.size() - seen;
                assertThat(byHeader.transitions(remaining)).isEqualTo(all.subList(seen, all.size()));
                assertThat(byQuery.transitions(remaining)).isEqualTo(all.subList(seen, all.size()));
            }
        }
        try (WatchedEvents browser = watch(
                "?entityId=%d&after=%s".formatted(entity, all.get(0).id()),
                all.get(6).id())) {
            assertThat(browser.transitions(1))
                    .as("the header is newer than the address")
                    .containsExactly(all.get(7));
        }
    }

    @Test
    @Tag("must-transitions")
    void reconnectingWatcherSeesEachTransitionOnce() throws Exception {
        int last = 300;
        List<Event> seen = new ArrayList<>();
        WatchedEvents watched = watchOwn(null);
        String id = watched.events().get(0).id();
        CompletableFuture<Void> writing = CompletableFuture.runAsync(() -> {
            for (int sequence = 1; sequence <= last; sequence += 3) {
                write(sequence, sequence + 1, sequence + 2);
            }
        });

        while (seen.size() < last) {
            List<Event> news = watched.transitions(1);
            watched.close();
            // As if the connection had broken before the last of them arrived.
            List<Event> arrived = news.size() == 1 ? news : news.subList(0, news.size() - 1);
            seen.addAll(arrived);
            id = arrived.get(arrived.size() - 1).id();
            if (seen.size() < last) {
                watched = watchOwn(id);
            }
        }

        writing.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(sequences(seen)).isEqualTo(upTo(last));
    }

    @Test
    @Tag("must-transitions")
    void eachFilterPassesMatchingTransitions() {
        try (WatchedEvents ofGroup = watch("?groupId=" + group, null);
                WatchedEvents nothing = watch("?kind=EXECUTOR&groupId=" + group, null)) {
            String paused = job("paused");
            String run = job("run");
            // Streams opened after these were sent do not receive them.
            ofGroup.transitions(2);
            eachFilterLetsThrough(ofGroup, paused, run);
            assertThat(nothing.transitions()).isEmpty();
        }
    }

    private void eachFilterLetsThrough(WatchedEvents ofGroup, String paused, String run) {
        try (WatchedEvents jobs = watch("?kind=JOB&groupId=" + group, null);
                WatchedEvents ofJob = watch("?jobId=" + idOf(run), null)) {
            assertThat(api.post(paused + "/pause", null).status()).isEqualTo(200);
            String runId = trigger(run);
            Event made = ofJob.transitions(1).get(0);
            assertThat(made.json().path("entityId").asString()).isEqualTo(runId);
            assertThat(made.json().path("to").asString()).isEqualTo("INIT");
            try (WatchedEvents ofRun = watch("?entityId=%s&backlog=1000".formatted(runId), null);
                    WatchedEvents ofRoot = watch("?kind=RUN&rootId=%s&backlog=1000".formatted(runId), null)) {
                assertThat(ofRun.transitions(1)).startsWith(made);
                assertThat(ofRoot.transitions(1)).startsWith(made);
            }
            assertThat(ofGroup.transitions(4))
                    .contains(made, jobs.transitions(1).get(0));
            assertThat(jobs.transitions()).hasSize(1);
            assertThat(jobs.transitions().get(0).json().path("entityId").asString())
                    .isEqualTo(idOf(paused));
            // Its later actions would disturb other tests.
            api.post("/api/runs/%s/kill".formatted(runId), null);
            await().atMost(SOON)
                    .until(() -> !api.get("/api/runs/" + runId)
                            .json()
                            .path("finishedAt")
                            .isNull());
        }
    }

    /** Entities of earlier tests may change at any moment: a watcher of all of them shows what existed. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 5})
    @Tag("must-first")
    void backlogStartsWithLatestTransitions(int backlog) {
        try (WatchedEvents all = watch("", null)) {
            write(1, 2);
            write(3, 4, 5);
            int before = awaitOwn(all, 5) + 1;
            try (WatchedEvents later = watch("?backlog=" + backlog, null)) {
                write(6);
                int after = awaitOwn(all, 6);
                awaitOwn(later, 6);
                List<String> known = ids(all.transitions());
                List<String> got = ids(later.transitions());
                int begin = known.indexOf(got.get(0));

                assertThat(begin).isBetween(before - backlog, after - backlog);
                assertThat(known.subList(begin, known.size()))
                        .startsWith(got.subList(0, Math.min(got.size(), after - begin + 1))
                                .toArray(String[]::new));
            }
        }
    }

    /** Waits for the own transition with this sequence, and says how many others came before it. */
    private int awaitOwn(WatchedEvents watched, int sequence) {
        await().atMost(SOON).pollDelay(Duration.ZERO).until(() -> indexOfOwn(watched, sequence) >= 0);
        return indexOfOwn(watched, sequence);
    }

    private int indexOfOwn(WatchedEvents watched, int sequence) {
        List<Event> events = watched.transitions();
        return IntStream.range(0, events.size())
                .filter(i -> events.get(i).sequence() == sequence
                        && events.get(i).json().path("entityId").asLong() == entity)
                .findFirst()
                .orElse(-1);
    }

    private static List<String> ids(List<Event> events) {
        return events.stream().map(Event::id).toList();
    }

    @Test
    @Tag("must-transitions")
    void reportsGapForPrunedTransitions() {
        List<Event> all;
        try (WatchedEvents watched = watchOwn(null)) {
            write(1, 2);
            write(3);
            write(4);
            all = watched.transitions(4);
        }
        long pruned = positionOf(all.get(1));
        admin.jdbc()
                .sql("delete from orth_journal where position <= :position")
                .param("position", pruned)
                .update();

        try (WatchedEvents partly = watchOwn(all.get(0).id());
                WatchedEvents longGone = watchOwn("0.0");
                WatchedEvents inTime = watchOwn(all.get(2).id());
                WatchedEvents upToThere = watchOwn(Long.toString(pruned))) {
            for (WatchedEvents late : List.of(partly, longGone)) {
                assertThat(sequences(late.transitions(2))).containsExactly(3, 4);
                assertThat(late.events().get(0).name()).isEqualTo("gap");
                assertThat(late.events().get(0).id()).isEqualTo(Long.toString(pruned));
            }
            assertThat(sequences(inTime.transitions(1))).containsExactly(4);
            assertThat(sequences(upToThere.transitions(2))).containsExactly(3, 4);
            for (WatchedEvents complete : List.of(inTime, upToThere)) {
                assertThat(complete.named("gap")).isEmpty();
            }
        }
    }

    @Test
    void reportsGapForUnknownIdAndStreamsFromNow() {
        try (WatchedEvents watched = watchOwn("999999999999999999.7")) {
            assertThat(watched.events().get(0).name()).isEqualTo("gap");
            write(1);
            assertThat(sequences(watched.transitions(1))).containsExactly(1);
        }
    }

    @Test
    void advancesPositionWithoutMatchingTransitions() {
        try (WatchedEvents watched = watch("?entityId=" + Long.MAX_VALUE, null)) {
            String first = watched.events().get(0).id();
            write(1, 2);

            await().atMost(SOON)
                    .until(() ->
                            watched.named("at").stream().anyMatch(at -> !at.id().equals(first)));

            String reached = watched.named("at").get(1).id();
            assertThat(Long.parseLong(reached)).isGreaterThan(Long.parseLong(first));
            assertThat(watched.transitions()).isEmpty();
        }
    }

    @Test
    void streamEndsForReauthenticationOfItsWatcher() {
        AtomicLong minutes = new AtomicLong();
        Ticker hasty = () -> Duration.ofMinutes(minutes.getAndAdd(4)).toNanos();
        TransitionFeed feed = admin.context().getBean(TransitionFeed.class);
        TransitionStream stream = new TransitionStream(
                new SharedFeed(feed, hasty),
                hasty,
                TransitionFilter.of(null, null, null, null, null),
                TransitionFeed.Place.after(feed.head()),
                false,
                new EventChannel(new SseEmitter(), ""));

        assertTimeoutPreemptively(SOON, stream::follow);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "kind, ?kind=run",
        "kind, ?kind=RUNS",
        "kind, ?kind=RUN%00",
        "jobId, ?jobId=x",
        "jobId, ?jobId=4294967296",
        "groupId, ?groupId=-1",
        "rootId, ?rootId=1.5",
        "rootId, ?rootId=99999999999999999999",
        "entityId, ?entityId=%27%20or%201=1",
        "backlog, ?backlog=1001",
        "backlog, ?backlog=-1",
        "backlog, ?backlog=many",
        "after, ?after=x",
        "after, ?after=-1",
        "after, ?after=1.",
        "after, ?after=1.-1",
        "after, ?after=1.0.0",
        "after, ?after=1.9999999999",
        "after, ?after=9999999999999999999",
        "after, ?after=%D9%A1"
    })
    void aBadParameterIsNamed(String field, String query) {
        assertInvalid(api.get(STREAM + query), field);
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1,0", "-5", "1.0;drop", "99999999999999999999999999999999"})
    void aBadLastEventIdIsNamed(String id) {
        assertInvalid(api.header("Last-Event-ID", id).get(STREAM), "Last-Event-ID");
    }

    @Test
    void rejectsUnauthenticatedRequests() {
        for (String path : List.of(STREAM, "/api/transitions/sinks", "/api/cluster", "/api/jobs/1/transitions")) {
            assertThat(admin.anonymous().get(path).status()).as(path).isEqualTo(401);
        }
    }

    @Test
    void keepsTimelineOfDeletedJobForAWhile() {
        String job = job("job");
        api.post(job + "/resume", null);
        api.post(job + "/pause", null);
        assertThat(api.delete(job).status()).isEqualTo(204);

        JsonNode steps = api.get(job + "/transitions").json().path("items");

        assertThat(steps.values().stream().map(step -> step.path("to").asString()))
                .endsWith("ENABLED", "PAUSED", "DELETED");
        for (JsonNode step : steps.values()) {
            assertThat(step.path("work").path("jobId").asString()).isEqualTo(idOf(job));
            assertThat(step.path("work").path("jobName").asString()).isEqualTo("job");
            assertThat(step.path("work").path("groupId").asString()).isEqualTo(group);
        }
        assertThat(api.get("/api/jobs/2147483647/transitions").code()).isEqualTo("NOT_FOUND");
        assertInvalid(api.get("/api/jobs/x/transitions"), "id");
    }

    @Test
    void anExecutorHasATimeline() {
        String instance = UUID.randomUUID().toString();
        String token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
        String name = api.get("/api/groups/" + group).json().path("name").asString();
        String registration = new String(
                Json.write(new Registration(
                        name, "http://127.0.0.1:9/", new Registration.Instance(instance, "host", 7, "test", true))),
                StandardCharsets.UTF_8);
        admin.executor(token).post("/api/registry", registration);
        admin.executor(token).post("/api/registryRemove", registration);

        JsonNode steps = api.get("/api/executors/%s/transitions".formatted(instance))
                .json()
                .path("items");

        assertThat(steps.values().stream().map(step -> step.path("cause").asString()))
                .containsExactly("REGISTERED", "LEFT");
        assertThat(steps.path(0).path("executor").path("instance").asString()).isEqualTo(instance);
        assertThat(steps.path(0).path("work").path("groupId").asString()).isEqualTo(group);
        assertThat(api.get("/api/executors/nobody/transitions").code()).isEqualTo("NOT_FOUND");
    }

    @Test
    void listsLagAndErrorsOfSinks() {
        write(1);
        await().atMost(SOON).until(() -> {
            JsonNode file = sink("file");
            return file.path("waitingBatches").asInt() == 0
                    && file.path("lagMillis").asInt() == 0
                    && file.path("emitted").asInt() > 0;
        });
        admin.jdbc().sql("""
                insert into orth_sink (name, position, dropped, failures, failed_in_row, parked_since, last_error)
                values ('webhook-broken', (select min(position) - 1 from orth_journal), 7, 5, 3, now(), 'it said 503')
                """).update();

        try {
            JsonNode broken = sink("webhook-broken");
            assertThat(broken.path("waitingBatches").asInt()).isPositive();
            assertThat(broken.path("waitingSince").asString()).isNotEmpty();
            assertThat(broken.path("lagMillis").isNumber()).isTrue();
            assertThat(broken.path("dropped").asInt()).isEqualTo(7);
            assertThat(broken.path("failedInRow").asInt()).isEqualTo(3);
            assertThat(broken.path("parkedSince").asString()).isNotEmpty();
            assertThat(broken.path("lastError").asString()).isEqualTo("it said 503");
        } finally {
            admin.jdbc()
                    .sql("delete from orth_sink where name = 'webhook-broken'")
                    .update();
        }
    }

    private JsonNode sink(String name) {
        return api.get("/api/transitions/sinks").json().values().stream()
                .filter(sink -> sink.path("name").asString().equals(name))
                .findFirst()
                .orElseGet(() -> api.get("/api/transitions/sinks").json().path("none"));
    }

    @Test
    void listsClusterNodesAndLeaseHolders() {
        JsonNode cluster = api.get("/api/cluster").json();

        String self = api.get("/api/system").json().path("node").asString();
        JsonNode node = cluster.path("nodes").values().stream()
                .filter(each -> each.path("id").asString().equals(self))
                .findFirst()
                .orElseThrow();
        assertThat(node.path("pid").asLong()).isEqualTo(ProcessHandle.current().pid());
        assertThat(node.path("startedAt").asString()).isNotEmpty();
        assertThat(cluster.path("databaseClockBehindMillis").isNull()).isTrue();
        JsonNode relay = duty("transition-relay");
        assertThat(relay.path("holder").asString()).isEqualTo(self);
        assertThat(relay.path("held").asBoolean()).isTrue();
        assertThat(relay.path("term").asInt()).isPositive();
    }

    @Test
    void showsReleasedLeaseAsNotHeld() {
        admin.jdbc().sql("""
                insert into orth_lease (duty, holder, term, acquired_at, expires_at)
                values ('test-duty', 'somebody', 4, now(), '-infinity')
                """).update();
        try {
            JsonNode duty = duty("test-duty");
            assertThat(duty.path("held").asBoolean()).isFalse();
            assertThat(duty.path("expiresAt").isNull()).isTrue();
            assertThat(duty.path("holder").asString()).isEqualTo("somebody");
        } finally {
            admin.jdbc().sql("delete from orth_lease where duty = 'test-duty'").update();
        }
    }

    private JsonNode duty(String name) {
        return api.get("/api/cluster").json().path("duties").values().stream()
                .filter(each -> each.path("duty").asString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static long positionOf(Event event) {
        return Long.parseLong(event.id().substring(0, event.id().indexOf('.')));
    }
}
