package io.orth.admin.transition;

import io.orth.admin.kernel.BoundedBody;
import io.orth.protocol.Json;
import io.orth.protocol.WebhookSignature;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;

/** Posts transitions to an address, signed, so that the receiver knows whose they are. Redirects are not followed. */
final class WebhookSink implements TransitionSink {

    private static final int READ_AT_MOST = 65_536;

    private final String name;
    private final RelayProperties.Webhook webhook;
    private final HttpClient http;

    WebhookSink(String name, RelayProperties.Webhook webhook, HttpClient http) {
        this.name = name;
        this.webhook = webhook;
        this.http = http;
    }

    @Override
    public String name() {
        return "webhook-" + name;
    }

    @Override
    public void emit(long term, List<RelayedTransition> transitions) throws IOException, InterruptedException {
        byte[] body = Json.write((Object) Map.of(
                "term",
                term,
                "transitions",
                transitions.stream().map(RelayedTransition::toJson).toList()));
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
