package io.orth.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.OrthExecutor;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.ExecutorPaths;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.TriggerRequest;
import io.orth.protocol.TaskChild;
import io.orth.protocol.TaskOutcome;
import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** An application with the starter, as users have it: web server, actuator, Logback. Runs on each supported Spring Boot. */
@Tag("must-executor")
@Timeout(120)
class ApplicationTest {

    private static final Instant NOON = Instant.parse("2030-01-02T12:00:00Z");

    @TempDir
    Path directory;

    private final FakeAdmin admin = FakeAdmin.start();
    private final HttpClient http = HttpClient.newHttpClient();
    private ConfigurableApplicationContext application;
    private OrthExecutor executor;

    @BeforeEach
    void start() {
        application = SpringApplication.run(
                Application.class,
                "--server.port=0",
                "--server.shutdown=graceful",
                // The test has a pool on its class path, and this application no database.
                "--spring.autoconfigure.exclude=org.springframework.boot.autoconfigure.jdbc.DataSourceAutoConfiguration",
                "--management.endpoints.web.exposure.include=health,info",
                "--management.endpoint.health.show-details=always",
                "--orth.executor.group=tests",
                "--orth.executor.admins=" + admin.address(),
                "--orth.executor.access-token=" + FakeAdmin.TOKEN,
                "--orth.executor.log-path=" + directory);
        executor = application.getBean(OrthExecutor.class);
    }

    @AfterEach
    void stop() {
        application.close();
        admin.close();
    }

    @Test
    void runsJobsAndCapturesTheirLogs() throws Exception {
        assertThat(trigger("greet", 1, "{\"name\": \"Orth\"}").code()).isEqualTo(200);
        assertThat(trigger("greet", 2, "{\"nmae\": \"Orth\"}").code()).isEqualTo(200);

        assertThat(admin.awaitCallback(1))
                .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                .containsExactly(200, "hello Orth");
        assertThat(directory.resolve("2030-01-02/1.log")).content().contains("INFO  Application$Jobs - greeting Orth\n");
        assertThat(admin.awaitCallback(2).handleMsg()).contains("'nmae' is not a field of Greeting, which has [name]");
    }

    @Test
    @Tag("must-pipelines")
    void worksOnStagesOfPipelines() {
        ClaimedMessage message = admin.tasks().send("greetings", "people", "{\"name\": \"Orth\"}");

        TaskOutcome result = admin.tasks().awaitResult(1).task();

        assertThat(result.result()).isEqualTo("{\"name\":\"Orth\"}");
        assertThat(result.children()).extracting(TaskChild::targetId).containsExactly("Orth");
        assertThat(admin.queues().awaitResult(message.id()).code()).isEqualTo(200);
    }

    @Test
    void showsHealth() throws Exception {
        admin.awaitRegistration();
        trigger("greet", 1, "{\"name\": \"Orth\"}");
        admin.awaitCallback(1);

        JsonObject orth = object(get("/actuator/health"), "components", "orth");

        assertThat(orth.text("status")).isEqualTo("UP");
        JsonObject details = orth.object("details").orElseThrow();
        assertThat(details.text("state")).isEqualTo("running");
        assertThat(details.flag("registered")).isTrue();
        assertThat(details.text("lastAcknowledgedBeat")).matches("\\d+ ms ago");
        assertThat(details.requiredNumber("unsentResults")).isNotNegative();
    }

    @Test
    void showsInstanceInformation() throws Exception {
        JsonObject info = object(get("/actuator/info"), "orth", "executor");

        assertThat(info.text("group")).isEqualTo("tests");
        assertThat(info.text("instance")).isEqualTo(executor.instanceId());
        assertThat(info.text("address")).isEqualTo(executor.address().toString());
        assertThat(info.text("version")).isEqualTo(OrthExecutor.version());
        assertThat(executor.handlerNames()).containsExactlyInAnyOrder("greet", "slow", "lazy");
    }

    @Test
    void createsALazyBeanWithItsFirstRun() throws Exception {
        assertThat(application.getBeanFactory().containsSingleton("lazyJobs")).isFalse();

        trigger("lazy", 1, "");

        assertThat(admin.awaitCallback(1).handleCode()).isEqualTo(200);
        assertThat(application.getBeanFactory().containsSingleton("lazyJobs")).isTrue();
    }

    /**
     * The job continues after the application starts to stop, and still gets a response from the application's web
     * server.
     */
    @Test
    void stopsBeansAfterJobsFinish() throws Exception {
        Application.Jobs jobs = application.getBean(Application.Jobs.class);
        trigger("slow", 1, "http://localhost:%s/alive".formatted(port()));
        jobs.begun.await();

        Thread closing = new Thread(application::close);
        closing.start();
        awaitRejection();
        jobs.goOn.countDown();
        closing.join();

        assertThat(admin.awaitCallback(1))
                .extracting(CallbackItem::handleCode, CallbackItem::handleMsg)
                .containsExactly(200, "alive, with its beans");
        assertThat(admin.removals()).hasSize(1);
    }

    /** New triggers are rejected as soon as the application starts to stop. */
    private void awaitRejection() throws Exception {
        long logId = 100;
        while (trigger("greet", logId, "").code() == 200) {
            logId++;
            Thread.onSpinWait();
        }
    }

    private Reply trigger(String handler, long logId, String param) throws IOException, InterruptedException {
        TriggerRequest trigger = TriggerRequest.of(handler.hashCode(), handler, logId, NOON.toEpochMilli())
                .params(param)
                .build();
        HttpRequest request = HttpRequest.newBuilder(URI.create(executor.address() + ExecutorPaths.RUN.substring(1)))
                .header(Headers.ACCESS_TOKEN, FakeAdmin.TOKEN)
                .timeout(Duration.ofSeconds(30))
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(trigger)))
                .build();
        return Reply.from(Json.readObject(
                http.send(request, BodyHandlers.ofByteArray()).body()));
    }

    private JsonObject get(String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:%s%s".formatted(port(), path)))
                .build();
        return Json.readObject(http.send(request, BodyHandlers.ofByteArray()).body());
    }

    private static JsonObject object(JsonObject json, String... path) {
        JsonObject found = json;
        for (String name : List.of(path)) {
            found = found.object(name).orElseThrow();
        }
        return found;
    }

    private String port() {
        return application.getEnvironment().getRequiredProperty("local.server.port");
    }
}
