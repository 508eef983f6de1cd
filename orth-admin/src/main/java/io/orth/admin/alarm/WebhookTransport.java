package io.orth.admin.alarm;

import io.orth.admin.alarm.WebhookBodies.Post;
import io.orth.protocol.WebhookSignature;
import io.orth.runtime.BoundedBody;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Transport that posts alarms in the format of the receiving service. Redirects are not followed. */
final class WebhookTransport implements AlarmTransport {

    private static final int READ_AT_MOST = 1_048_576;
    private static final int SHOWN_AT_MOST = 300;

    private final HttpClient http;
    private final WebhookPolicy policy;
    private final WebhookBodies bodies;
    private final Duration timeout;

    WebhookTransport(HttpClient http, WebhookPolicy policy, WebhookBodies bodies, Duration timeout) {
        this.http = http;
        this.policy = policy;
        this.bodies = bodies;
        this.timeout = timeout;
    }

    @Override
    public void send(ChannelSpec channel, AlarmMessage message) throws IOException, InterruptedException {
        Post post = bodies.of(channel, message);
        policy.check(URI.create(channel.target()));
        HttpRequest.Builder request = HttpRequest.newBuilder(post.address())
                .timeout(timeout)
                .header("Content-Type", "application/json; charset=utf-8")
                .POST(HttpRequest.BodyPublishers.ofString(post.body()));
        if (post.signature() != null) {
            request.header(WebhookSignature.HEADER, post.signature());
        }
        HttpResponse<byte[]> answer =
                BoundedBody.exchange(http, request.build(), READ_AT_MOST, timeout.multipliedBy(2));
        String said = new String(answer.body(), StandardCharsets.UTF_8);
        if (answer.statusCode() / 100 != 2) {
            throw new IOException("it answered %d: %s".formatted(answer.statusCode(), shown(said)));
        }
        if (bodies.isRefusal(channel.kind(), said)) {
            throw new IOException("it refused: " + shown(said));
        }
    }

    private static String shown(String text) {
        String plain = text.replaceAll("\\p{Cntrl}+", " ").strip();
        return plain.length() > SHOWN_AT_MOST ? plain.substring(0, SHOWN_AT_MOST) + "…" : plain;
    }
}
