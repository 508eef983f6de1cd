package io.orth.sample;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.OrthExecutor;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.testkit.FakeAdmin;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

@Timeout(60)
class SampleApplicationTest {

    private static final Instant NOON = Instant.parse("2030-01-02T12:00:00Z");

    @Test
    void runsItsJobs(@TempDir Path directory) throws Exception {
        try (FakeAdmin admin = FakeAdmin.start();
                ConfigurableApplicationContext application = start(admin, directory)) {
            OrthExecutor executor = application.getBean(OrthExecutor.class);

            assertThat(trigger(executor, "hello", 1).code()).isEqualTo(200);
            assertThat(trigger(executor, "daily-report", 2).code()).isEqualTo(200);

            assertThat(admin.awaitRegistration().group()).isEqualTo("sample-spring-boot");
            assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(200);
            assertThat(admin.awaitCallback(2))
                    .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                    .containsExactly(200, "report of 2030-01-01 is done");
            assertThat(directory.resolve("2030-01-02/1.log")).content().endsWith("hello, Orth\n");
        }
    }

    @Test
    void declaresTheJobOfTheDailyReport(@TempDir Path directory) {
        try (FakeAdmin admin = FakeAdmin.start();
                ConfigurableApplicationContext application = start(admin, directory)) {
            DeclaredJob job = admin.awaitDeclarations().jobs().get(0);

            assertThat(job.name()).isEqualTo("daily-report");
            assertThat(job.schedule()).isEqualTo(new DeclaredJob.Schedule("CRON", "0 0 1 * * ?", "UTC", null));
            assertThat(job.rules().timeoutSeconds()).isEqualTo(600);
            assertThat(application.isRunning()).isTrue();
        }
    }

    private static ConfigurableApplicationContext start(FakeAdmin admin, Path directory) {
        return new SpringApplicationBuilder(SampleApplication.class)
                .run(
                        "--orth.executor.admins=" + admin.address(),
                        "--orth.executor.access-token=" + FakeAdmin.TOKEN,
                        "--orth.executor.log-path=" + directory);
    }

    private static Reply trigger(OrthExecutor executor, String handler, long logId) throws Exception {
        TriggerRequest trigger = TriggerRequest.of((int) logId, handler, logId, NOON.toEpochMilli())
                .params("Orth")
                .scheduleTime(NOON.toEpochMilli())
                .instanceId(executor.instanceId())
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(executor.address() + ExecutorPaths.RUN.substring(1)))
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(trigger)))
                .build();
        return Reply.from(Json.readObject(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofByteArray())
                .body()));
    }
}
