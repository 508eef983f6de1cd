package io.orth.launcher;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The requests to the admin that are needed to start Orth. */
final class AdminApi {

    /** A response; its body is empty if it is not a JSON object. */
    record Answer(int status, Optional<JsonObject> body) {

        boolean is(int expected) {
            return status == expected;
        }
    }

    private static final Set<String> HEALTHY = Set.of("UP", "PAUSED");

    private static final Duration LIMIT = Duration.ofSeconds(10);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(LIMIT)
            .build();
    private final String baseUrl;

    AdminApi(String baseUrl) {
        this.baseUrl = baseUrl;
    }

    /** Returns whether the admin is up and can use its database. An admin whose installation is paused logs the reason. */
    boolean isHealthy() throws InterruptedException {
        try {
            Answer answer = send(request("/actuator/health").GET());
            return answer.is(200)
                    && HEALTHY.contains(
                            answer.body().map(body -> body.text("status", "")).orElse(""));
        } catch (IOException e) {
            return false;
        }
    }

    Answer get(String path, String token) throws InterruptedException {
        return sendOrFail(path, authorized(path, token).GET());
    }

    Answer post(String path, String token, Map<String, ?> body) throws InterruptedException {
        return sendOrFail(
                path,
                authorized(path, token)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body))));
    }

    Answer putYaml(String path, String token, byte[] yaml) throws InterruptedException {
        return sendOrFail(
                path,
                authorized(path, token)
                        .header("Content-Type", "application/yaml")
                        .PUT(HttpRequest.BodyPublishers.ofByteArray(yaml)));
    }

    private HttpRequest.Builder authorized(String path, String token) {
        return request(path).header("Authorization", "Bearer " + token);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(baseUrl + path)).timeout(LIMIT).header("Accept", "application/json");
    }

    private Answer sendOrFail(String path, HttpRequest.Builder request) throws InterruptedException {
        try {
            return send(request);
        } catch (IOException e) {
            throw LauncherException.failed("The admin did not answer %s: %s.".formatted(path, e));
        }
    }

    private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<byte[]> response = http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        return new Answer(response.statusCode(), body(response.body()));
    }

    private static Optional<JsonObject> body(byte[] bytes) {
        try {
            return Optional.of(Json.readObject(bytes));
        } catch (WireFormatException e) {
            return Optional.empty();
        }
    }

    /** Describes an error response, with its problem detail if there is one. */
    static LauncherException refused(String what, Answer answer) {
        String detail = answer.body().map(body -> body.text("detail", "")).orElse("");
        return LauncherException.failed("The admin refused to %s (%d %s)."
                .formatted(what, answer.status(), detail)
                .replace(" )", ")"));
    }
}
