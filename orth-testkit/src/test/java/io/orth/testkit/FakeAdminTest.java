package io.orth.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.protocol.AdminPaths;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.MessageResult;
import io.orth.protocol.Registration;
import io.orth.protocol.Reply;
import io.orth.protocol.WorkReply;
import io.orth.protocol.WorkRequest;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class FakeAdminTest {

    private static final Registration REGISTRATION = new Registration("g", "http://x/", null);
    private static final List<CallbackItem> RESULTS =
            List.of(new CallbackItem(1, 2, 200, null, null), new CallbackItem(3, 4, 500, "no", null));

    private final FakeAdmin admin = FakeAdmin.start();

    @AfterEach
    void stop() {
        admin.close();
    }

    @Test
    void recordsReceivedMessages() throws Exception {
        assertThat(post(AdminPaths.REGISTRY, Json.write(REGISTRATION)).code()).isEqualTo(200);
        assertThat(post(AdminPaths.CALLBACK, Json.write(RESULTS)).code()).isEqualTo(200);
        assertThat(post(AdminPaths.REGISTRY_REMOVE, Json.write(REGISTRATION)).code())
                .isEqualTo(200);

        assertThat(admin.awaitRegistration()).isEqualTo(REGISTRATION);
        assertThat(admin.awaitCallback(3)).isEqualTo(RESULTS.get(1));
        assertThat(admin.callbacks()).isEqualTo(RESULTS);
        assertThat(admin.callbackBatches()).containsExactly(2);
        assertThat(admin.removals()).containsExactly(REGISTRATION);
        assertThat(admin.requests()).isEqualTo(3);
    }

    @Test
    void failsOnDemand() throws Exception {
        admin.failNext(1);
        assertThat(post(AdminPaths.REGISTRY, Json.write(REGISTRATION)).code()).isEqualTo(500);
        assertThat(post(AdminPaths.REGISTRY, Json.write(REGISTRATION)).code()).isEqualTo(200);

        admin.answer(503);
        assertThat(post(AdminPaths.CALLBACK, Json.write(RESULTS)).code()).isEqualTo(503);
        admin.answer(200);

        admin.refuseCallbacks(item -> item.logId() == 3);
        assertThat(post(AdminPaths.CALLBACK, Json.write(RESULTS)).code()).isEqualTo(500);
        assertThat(admin.callbacks()).isEmpty();
    }

    @Test
    void hangsOnDemand() throws Exception {
        admin.hang();
        assertThatThrownBy(() -> post(AdminPaths.REGISTRY, Json.write(REGISTRATION), FakeAdmin.TOKEN, 200))
                .isInstanceOf(HttpTimeoutException.class);

        admin.resume();
        assertThat(post(AdminPaths.REGISTRY, Json.write(REGISTRATION)).code()).isEqualTo(200);
    }

    @Test
    void returnsSameMessagesForRepeatedClaim() throws Exception {
        admin.queues().push("emails", "a");
        admin.queues().push("emails", "b");

        assertThat(work("one", 1)).extracting(ClaimedMessage::payload).containsExactly("a");
        assertThat(work("one", 1)).extracting(ClaimedMessage::payload).containsExactly("a");
        assertThat(work("two", 5)).extracting(ClaimedMessage::payload).containsExactly("b");
        assertThat(work("three", 5)).isEmpty();
        assertThat(work("four", 0, new MessageResult(1, 1_000_001, 200, null, false, null, 3)))
                .isEmpty();
        assertThat(admin.queues().awaitResult(1).runMillis()).isEqualTo(3);
        assertThat(admin.queues().requests()).hasSize(5);
    }

    private List<ClaimedMessage> work(String claim, int slots, MessageResult... results) throws Exception {
        WorkRequest request = new WorkRequest("i", "emails", 0, claim, 0, 0, slots, 0, 0, List.of(results));
        return WorkReply.from(post(AdminPaths.QUEUE_WORK, Json.write(request)).payloadObject())
                .messages();
    }

    @Test
    void rejectsWrongTokensPathsAndMessages() throws Exception {
        assertThat(post(AdminPaths.REGISTRY, Json.write(REGISTRATION), "wrong", 10_000)
                        .code())
                .isEqualTo(500);
        assertThat(post("/elsewhere", Json.write(REGISTRATION)).code()).isEqualTo(500);
        assertThat(post(AdminPaths.REGISTRY, new byte[] {'{'}).code()).isEqualTo(500);
    }

    private Reply post(String path, byte[] body) throws Exception {
        return post(path, body, FakeAdmin.TOKEN, 10_000);
    }

    private Reply post(String path, byte[] body, String token, long millis) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin.address() + path))
                .header(Headers.ACCESS_TOKEN, token)
                .timeout(Duration.ofMillis(millis))
                .POST(BodyPublishers.ofByteArray(body))
                .build();
        return Reply.from(Json.readObject(HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofByteArray())
                .body()));
    }
}
