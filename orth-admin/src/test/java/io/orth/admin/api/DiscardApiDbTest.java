package io.orth.admin.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.testkit.FakeExecutor;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import tools.jackson.databind.JsonNode;

/** A job that skips what comes while it is busy, as operators see it. */
@Tag("must-first")
class DiscardApiDbTest {

    private static final Duration SOON = Duration.ofSeconds(60);

    @RegisterExtension
    static final AdminServer admin = new AdminServer();

    @Test
    void skippedFiresAreListedAndAreNoFailures() {
        SecuredClient api = admin.api();
        String name = "g-" + UUID.randomUUID();
        String group = api.post("/api/groups", "{\"name\":\"%s\"}".formatted(name))
                .json()
                .path("id")
                .asString();
        String token = api.get("/api/groups/%s/token".formatted(group))
                .json()
                .path("token")
                .asString();
        try (FakeExecutor executor = new FakeExecutor(UUID.randomUUID().toString())) {
            executor.discard();
            Registration registration = new Registration(
                    name, executor.address(), new Registration.Instance(executor.instanceId(), "h", 1, "test", true));
            String beat = new String(Json.write(registration), StandardCharsets.UTF_8);
            admin.executor(token).post("/api/registry", beat);

            String job = api.post("/api/jobs", """
                            {"name":"fetch","groupId":"%s","handler":"h","blockStrategy":"DISCARD",
                             "maxAttempts":4,"backoff":{"initialDelay":"PT0.1S"},"schedule":{"type":"FIXED_RATE","interval":"PT1S"}}
                            """.formatted(group)).header("Location");
            await().atMost(SOON)
                    .until(() ->
                            api.get(job + "/decisions").json().path("items").size() > 0);
            api.post(job + "/pause", null);
            String run = api.post(job + "/trigger", null).json().path("runId").asString();
            await().atMost(SOON)
                    .until(() -> "SKIPPED"
                            .equals(api.get("/api/runs/" + run)
                                    .json()
                                    .path("status")
                                    .asString()));
            admin.executor(token).post("/api/registryRemove", beat);

            JsonNode manual = api.get("/api/runs/" + run).json();
            assertThat(manual.path("cause").asString()).isEqualTo("DISCARDED");
            assertThat(manual.path("triggerMsg").asString()).contains("the job was busy");
            assertThat(api.get(job + "/decisions").json().path("items").values())
                    .extracting(each -> each.path("reason").asString())
                    .contains("DISCARDED");
            String id = manual.path("jobId").asString();
            assertThat(api.get("/api/runs?jobId=" + id).json().path("items").values())
                    .extracting(each -> each.path("status").asString())
                    .hasSizeGreaterThan(1)
                    .containsOnly("SKIPPED");
            assertThat(api.get("/api/dead-letters?jobId=" + id)
                            .json()
                            .path("items")
                            .size())
                    .isZero();
            JsonNode days = api.get("/api/reports/runs?groupId=" + group).json().path("days");
            assertThat(days.values().stream()
                            .mapToInt(day -> day.path("skipped").asInt())
                            .sum())
                    .isGreaterThan(1);
            assertThat(days.values())
                    .allSatisfy(
                            day -> assertThat(day.path("triggerFailed").asInt()).isZero());
        }
    }
}
