package io.orth.admin.transition;

import io.orth.protocol.Json;
import io.orth.protocol.WebhookSignature;
import io.orth.runtime.BoundedBody;
import io.orth.runtime.Threads;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A sink that posts transitions to a URL. Requests are signed, so the receiver can verify the sender. Redirects are not followed. */
final class WebhookSink implements TransitionSink {

    private static final int READ_AT_MOST = 65_536;
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    private static final int HTTP_THREADS = 2;
    private static final int HTTP_QUEUE = 100;

    private final String name;
    private final RelayProperties.Webhook webhook;
    private final HttpClient http;

    WebhookSink(String name, RelayProperties.Webhook webhook, HttpClient http) {
        this.name = name;
        this.webhook = webhook;
        this.http = http;
    }

    /** Returns a client, shared by all webhooks of a node. */
    static HttpClient client() {
        return HttpClient.newBuilder()
                .connectTimeout(CONNECT_TIMEOUT)
                .followRedirects(HttpClient.Redirect.NEVER)
                .executor(Threads.pool("transition-http", HTTP_THREADS, HTTP_QUEUE))
                .build();
    }

    @Override
    public String name() {
        return "webhook-" + name;
    }

    @Override
    public void emit(long term, List<RelayedTransition> transitions) throws IOException, InterruptedException {
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("term", term);
        message.put(
                "transitions",
                transitions.stream().map(RelayedTransition::toJson).toList());
        byte[] body = Json.write((Object) message);
        HttpRequest request = HttpRequest.newBuilder(webhook.url())
                .timeout(webhook.timeout())
                .header("Content-Type", "application/json; charset=utf-8")
                .header(WebhookSignature.HEADER, WebhookSignature.of(webhook.secret(), body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        int status = BoundedBody.exchange(
                        http, request, READ_AT_MOST, webhook.timeout().multipliedBy(2))
                .statusCode();
        if (status / 100 != 2) {
            throw new IOException("it answered %d".formatted(status));
        }
    }
}
