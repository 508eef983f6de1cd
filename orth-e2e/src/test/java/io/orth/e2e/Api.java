package io.orth.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** An API client with a token. */
final class Api {

    private static final HttpClient HTTP =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

    private final String base;
    private final String token;

    Api(String base, String token) {
        this.base = base;
        this.token = token;
    }

    JsonObject get(String path) {
        return Json.readObject(send(request(path).GET().build()).getBytes(UTF_8));
    }

    List<JsonObject> items(String path) {
        return get(path).objects("items");
    }

    /** Of what answers with a bare list. */
    List<JsonObject> list(String path) {
        return Json.readArray(send(request(path).GET().build()).getBytes(UTF_8));
    }

    /** Lines as they come, for as long as the server sends them; to be closed. */
    Stream<String> lines(String path) {
        try {
            return HTTP.send(request(path).GET().build(), HttpResponse.BodyHandlers.ofLines())
                    .body();
        } catch (IOException e) {
            throw new AssertionError("GET %s failed: %s".formatted(path, e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    JsonObject post(String path, Map<String, Object> body) {
        return Json.readObject(send(posting(path, body)).getBytes(UTF_8));
    }

    /** Of what is only accepted, and done later. */
    JsonObject accepted(String path, Map<String, Object> body) {
        HttpResponse<String> response = exchange(posting(path, body));
        if (response.statusCode() != 202) {
            throw new AssertionError("POST %s: %d %s".formatted(path, response.statusCode(), response.body()));
        }
        return Json.readObject(response.body().getBytes(UTF_8));
    }

    JsonObject put(String path, Map<String, Object> body) {
        HttpRequest request = request(path)
                .header("Content-Type", "application/json")
                .PUT(HttpRequest.BodyPublishers.ofByteArray(Json.write(body)))
                .build();
        return Json.readObject(send(request).getBytes(UTF_8));
    }

    /** To a server that may die before it answers. */
    void postToTheDoomed(String path, Map<String, Object> body) {
        try {
            HTTP.send(posting(path, body), HttpResponse.BodyHandlers.discarding());
        } catch (IOException e) {
            // It died: that is what the test is about.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it was done, by a server that may die before it answers; the same key again does it once. */
    boolean postOnce(String path, String key, Map<String, Object> body) {
        try {
            HttpRequest request = request(path)
                    .header("Content-Type", "application/json")
                    .header("Idempotency-Key", key)
                    .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body)))
                    .build();
            return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode() / 100 == 2;
        } catch (IOException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private HttpRequest posting(String path, Map<String, Object> body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Json.write(body)))
                .build();
    }

    /** The status of a GET, without the token where {@code authenticated} is false. */
    int statusOf(String path, boolean authenticated) {
        HttpRequest.Builder request = authenticated ? request(path) : HttpRequest.newBuilder(URI.create(base + path));
        try {
            return HTTP.send(request.GET().build(), HttpResponse.BodyHandlers.discarding())
                    .statusCode();
        } catch (IOException e) {
            return 0;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(20))
                .header("Authorization", "Bearer " + token);
    }

    private static String send(HttpRequest request) {
        HttpResponse<String> response = exchange(request);
        if (response.statusCode() >= 300) {
            throw new AssertionError(
                    "%s %s: %d %s".formatted(request.method(), request.uri(), response.statusCode(), response.body()));
        }
        return response.body();
    }

    private static HttpResponse<String> exchange(HttpRequest request) {
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError("%s %s failed: %s".formatted(request.method(), request.uri(), e), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
