package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.api.SecuredClient.Answer;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** One job that skips fires while any executor has it, fired fifty times a second for 30 s at two admins. */
@Tag("must-kernel")
class BlockScopeApiDbTest {

    private static final Duration SOON = Duration.ofMinutes(2);
    private static final int FIRES_PER_SECOND = 50;
    private static final int FIRES = FIRES_PER_SECOND * 30;

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private final List<AdminServer.Running> admins = new ArrayList<>();
    private final List<FakeExecutor> executors = new ArrayList<>();
    private final ScheduledExecutorService threads = Executors.newScheduledThreadPool(12);
    /** On a thread of their own, so that executors stay online however long fires take. */
    private final ScheduledExecutorService heart = Executors.newSingleThreadScheduledExecutor();

    private final List<Future<?>> beats = new ArrayList<>();
    /** Fires and results. */
    private final Queue<Future<?>> tasks = new ConcurrentLinkedQueue<>();

    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();
    private String token;
    private String groupId;

    @BeforeEach
    void setUp() {
        admins.add(AdminServer.start(db));
        admins.add(AdminServer.start(db));
        SecuredClient api = admins.get(0).api();
        groupId = api.post("/api/groups", "{\"name\":\"fetchers\"}")
                .json()
                .path("id")
                .asString();
        token = api.get("/api/groups/%s/token".formatted(groupId))
                .json()
                .path("token")
                .asString();
        IntStream.range(0, 3).forEach(n -> executors.add(new FakeExecutor("instance-" + n)));
        for (FakeExecutor executor : executors) {
            executor.accept(trigger -> work(executor, trigger));
            beat(executor);
            beats.add(heart.scheduleWithFixedDelay(() -> beat(executor), 2, 2, TimeUnit.SECONDS));
        }
    }

    @AfterEach
    void tearDown() {
        beats.forEach(each -> each.cancel(false));
        heart.shutdownNow();
        threads.shutdownNow();
        executors.forEach(FakeExecutor::close);
        admins.forEach(AdminServer.Running::close);
    }

    @Test
    void clusterDiscardNeverOverlapsAndListsEverySkip() throws Exception {
        SecuredClient api = admins.get(0).api();
        assertThat(api.post(
                                "/api/alarms/channels",
                                "{\"name\":\"all\",\"kind\":\"WEBHOOK\",\"target\":\"https://example.org/alarms\"}")
                        .status())
                .isEqualTo(201);
        Answer made = api.post("/api/jobs", """
                {"name":"fetch","groupId":"%s","handler":"h","blockStrategy":"DISCARD","blockScope":"CLUSTER",
                 "maxAttempts":3,"backoff":{"initialDelay":"PT0.1S"}}
                """.formatted(groupId));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(made.json().path("blockScope").asString()).isEqualTo("CLUSTER");
        String job = made.header("Location");

        Queue<String> fired = fire(job);
        await().atMost(SOON).until(() -> count("orth_run", "true") == 0);
        for (Future<?> task : tasks) {
            task.get();
        }

        Map<String, Long> ended = db()
                .sql("select status, count(*) as runs from orth_run_history group by status")
                .query((row, n) -> Map.entry(row.getString("status"), row.getLong("runs")))
                .list()
                .stream()
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
        assertThat(fired).hasSize(FIRES).doesNotHaveDuplicates();
        assertThat(ended).containsOnlyKeys("SUCCESS", "SKIPPED");
        assertThat(ended.get("SUCCESS") + ended.get("SKIPPED")).isEqualTo(FIRES);
        assertThat(mostAtOnce).hasValue(1);
        assertThat(listed(job)).isEqualTo(ended.get("SKIPPED"));
        assertThat(count("orth_run_history", "status = 'SKIPPED' and trigger_msg not like 'run % was not over%'"))
                .isZero();
        assertThat(count("orth_dead_letter", "true")).isZero();
        assertThat(count("orth_alarm", "true")).isZero();
        assertThat(count("orth_run_history", "alarm_status not in (0, 1)")).isZero();
    }

    /** At a steady rate, however long the answers take; returns the runs' ids. */
    private Queue<String> fire(String job) throws InterruptedException {
        Queue<String> runs = new ConcurrentLinkedQueue<>();
        CountDownLatch answers = new CountDownLatch(FIRES);
        for (int i = 0; i < FIRES; i++) {
            tasks.add(threads.schedule(
                    () -> {
                        try {
                            Answer answer = anyAdmin().api().post(job + "/trigger", null);
                            runs.add(answer.json().path("runId").asString());
                        } finally {
                            answers.countDown();
                        }
                    },
                    i * 1_000L / FIRES_PER_SECOND,
                    TimeUnit.MILLISECONDS));
        }
        assertThat(answers.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        return runs;
    }

    /** Runs for a while; a run is finished when an admin has its result. */
    private void work(FakeExecutor executor, TriggerRequest trigger) {
        mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
        tasks.add(threads.schedule(
                () -> {
                    running.decrementAndGet();
                    CallbackItem result = new CallbackItem(
                            trigger.logId(), trigger.logDateTime(), 200, "done", executor.instanceId());
                    anyAdmin().executor(token).post("/api/callback", text(Json.write(List.of(result))));
                },
                ThreadLocalRandom.current().nextInt(20, 300),
                TimeUnit.MILLISECONDS));
    }

    private AdminServer.Running anyAdmin() {
        return admins.get(requests.getAndIncrement() % admins.size());
    }

    private void beat(FakeExecutor executor) {
        Registration registration = new Registration(
                "fetchers",
                executor.address(),
                new Registration.Instance(executor.instanceId(), "host", 1, "test", true));
        anyAdmin().executor(token).post("/api/registry", text(Json.write(registration)));
    }

    private static String text(byte[] json) {
        return new String(json, StandardCharsets.UTF_8);
    }

    private long listed(String job) {
        String list = job + "/decisions?reason=DISCARDED&limit=500";
        long fires = 0;
        JsonNode page = admins.get(1).api().get(list).json();
        while (true) {
            fires += page.path("items").values().stream()
                    .mapToLong(entry -> entry.path("fires").asLong())
                    .sum();
            if (!page.path("next").isString()) {
                return fires;
            }
            page = admins.get(1)
                    .api()
                    .get(list + "&after=" + page.path("next").asString())
                    .json();
        }
    }

    private long count(String table, String condition) {
        return db().sql("select count(*) from %s where %s".formatted(table, condition))
                .query(Long.class)
                .single();
    }

    private JdbcClient db() {
        return admins.get(0).jdbc();
    }
}
