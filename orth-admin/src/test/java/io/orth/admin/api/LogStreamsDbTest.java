package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.AdminFixture;
import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Target;
import io.orth.testkit.FakeExecutor;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Watchers of logs, over HTTP, as many as are allowed and one more. */
@Timeout(120)
class LogStreamsDbTest {

    private static final int MOST = 200;
    private static final Duration SOON = Duration.ofSeconds(30);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    private final FakeExecutor executor = new FakeExecutor("instance");
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<InputStream> watched = new ArrayList<>();
    private AdminServer.Running admin;
    private long run;

    @BeforeEach
    void setUp() {
        admin = AdminServer.start(db);
        AdminFixture rows = new AdminFixture(db);
        ExecutorGroup group = rows.group("group");
        Target target = rows.executor(group, executor.instanceId(), executor.address());
        executor.log("first line\n");
        run = rows.pendingRun(group, target).id();
    }

    @AfterEach
    void tearDown() throws IOException {
        for (InputStream stream : watched) {
            stream.close();
        }
        admin.close();
        executor.close();
    }

    @Test
    void rejectsExcessStreamUntilOneEnds() throws Exception {
        for (int i = 0; i < MOST; i++) {
            HttpResponse<InputStream> response = watch();
            assertThat(response.statusCode()).isEqualTo(200);
            watched.add(response.body());
        }
        for (InputStream stream : watched) {
            assertThat(new String(stream.readNBytes(10), StandardCharsets.UTF_8))
                    .isEqualTo("event:log\n");
        }

        HttpResponse<InputStream> refused = watch();
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(new String(refused.body().readAllBytes(), StandardCharsets.UTF_8))
                .contains("TOO_MANY_REQUESTS", "200 logs are being watched already");
        assertThat(admin.api().get("/api/runs/" + run).status())
                .as("other requests")
                .isEqualTo(200);

        watched.remove(0).close();
        await().atMost(SOON).until(() -> {
            executor.log("first line\n" + "and more\n".repeat(watched.size()));
            HttpResponse<InputStream> again = watch();
            watched.add(again.body());
            return again.statusCode() == 200;
        });
    }

    private HttpResponse<InputStream> watch() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin.url() + "/api/runs/%d/log/stream".formatted(run)))
                .header("Authorization", "Bearer " + admin.apiToken())
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofInputStream());
    }
}
