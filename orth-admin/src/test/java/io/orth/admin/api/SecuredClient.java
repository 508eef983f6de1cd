package io.orth.admin.api;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Calls the API as the console does: keeps cookies, repeats the XSRF cookie in a header, says its origin. */
final class SecuredClient {

    record Answer(int status, java.net.http.HttpHeaders headers, String body) {

        JsonNode json() {
            return JSON.readTree(body);
        }

        String header(String name) {
            return headers.firstValue(name).orElse("");
        }

        String code() {
            return json().path("code").asString("");
        }
    }

    static final String SESSION = "orth-session";
    static final String XSRF = "XSRF-TOKEN";

    private static final JsonMapper JSON = JsonMapper.builder().build();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final URI base;
    private final Map<String, String> cookies = new LinkedHashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();

    SecuredClient(URI base) {
        this.base = base;
        headers.put("Origin", base.toString());
    }

    SecuredClient bearer(String token) {
        return header("Authorization", "Bearer " + token);
    }

    /** A null value takes the header away. */
    SecuredClient header(String name, String value) {
        if (value == null) {
            headers.remove(name);
        } else {
            headers.put(name, value);
        }
        return this;
    }

    Map<String, String> cookies() {
        return cookies;
    }

    Optional<String> session() {
        return Optional.ofNullable(cookies.get(SESSION));
    }

    Answer login(String user, String password) {
        return post("/api/session", "{\"user\":\"%s\",\"password\":\"%s\"}".formatted(user, password));
    }

    Answer get(String path) {
        return call("GET", path, null);
    }

    Answer post(String path, String json) {
        return call("POST", path, json);
    }

    Answer put(String path, String json) {
        return call("PUT", path, json);
    }

    Answer delete(String path) {
        return call("DELETE", path, null);
    }

    Answer call(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .timeout(Duration.ofSeconds(20))
                .method(
                        method,
                        body == null ? HttpRequest.BodyPublishers.noBody() : HttpRequest.BodyPublishers.ofString(body));
        if (body != null && !headers.containsKey("Content-Type")) {
            request.header("Content-Type", "application/json");
        }
        headers.forEach(request::header);
        if (cookies.containsKey(XSRF) && !headers.containsKey("X-XSRF-TOKEN")) {
            request.header("X-XSRF-TOKEN", cookies.get(XSRF));
        }
        if (!cookies.isEmpty()) {
            request.header(
                    "Cookie", cookies.entrySet().stream().map(Object::toString).collect(Collectors.joining("; ")));
        }
        return send(request.build());
    }

    private Answer send(HttpRequest request) {
        try {
            HttpResponse<String> response = HTTP.send(request, HttpResponse.BodyHandlers.ofString());
            response.headers().allValues("Set-Cookie").forEach(this::keep);
            return new Answer(response.statusCode(), response.headers(), response.body());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private void keep(String setCookie) {
        String pair = setCookie.split(";", 2)[0];
        String name = pair.substring(0, pair.indexOf('='));
        if (setCookie.contains("Max-Age=0")) {
            cookies.remove(name);
        } else {
            cookies.put(name, pair.substring(pair.indexOf('=') + 1));
        }
    }
}
