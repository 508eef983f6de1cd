package io.orth.admin.alarm;

import io.orth.protocol.WebhookSignature;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Body and signature that each service expects, and detection of messages rejected with status 200. */
final class WebhookBodies {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Clock clock;

    WebhookBodies(Clock clock) {
        this.clock = clock;
    }

    /** {@code signature} is sent as a header; null for none. */
    record Post(URI address, String body, String signature) {}

    Post of(ChannelSpec channel, AlarmMessage message) {
        String text = AlarmText.of(message, channel.template());
        URI address = URI.create(channel.target());
        return switch (channel.kind()) {
            case SLACK -> new Post(address, text(Map.of("text", text)), null);
            case DINGTALK ->
                new Post(
                        signedDingTalk(address, channel.secret()),
                        text(Map.of("msgtype", "text", "text", Map.of("content", text))),
                        null);
            case FEISHU -> new Post(address, text(feishu(text, channel.secret())), null);
            case WEBHOOK -> generic(address, message, text, channel.secret());
            case MAIL -> throw new IllegalArgumentException("mail is not posted");
        };
    }

    private Post generic(URI address, AlarmMessage message, String text, String secret) {
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("alarmId", Long.toString(message.alarmId()));
        body.put("channel", message.channel());
        body.put("environment", message.environment());
        body.put("count", message.count());
        body.put("text", text);
        body.put("runs", withUrls(message.runs(), message::urlOf));
        body.put("pipelineRuns", withUrls(message.pipelineRuns(), message::urlOf));
        body.put("alerts", withUrls(message.notices(), message::urlOf));
        String written = text(body);
        String signature = secret == null ? null : WebhookSignature.of(secret, utf8(written));
        return new Post(address, written, signature);
    }

    private <T> List<ObjectNode> withUrls(List<T> subjects, Function<T, String> url) {
        return subjects.stream()
                .map(subject -> json.<ObjectNode>valueToTree(subject).put("url", url.apply(subject)))
                .toList();
    }

    private URI signedDingTalk(URI address, String secret) {
        if (secret == null) {
            return address;
        }
        String timestamp = Long.toString(clock.millis());
        String sign = Base64.getEncoder().encodeToString(hmac(secret, utf8(timestamp + "\n" + secret)));
        String query = "timestamp=%s&sign=%s".formatted(timestamp, URLEncoder.encode(sign, StandardCharsets.UTF_8));
        return URI.create(address + (address.getRawQuery() == null ? "?" : "&") + query);
    }

    /** Builds the body for Feishu. Its signature is an HMAC over empty data, with time and secret as the key. */
    private Map<String, Object> feishu(String text, String secret) {
        Map<String, Object> body = new LinkedHashMap<>();
        if (secret != null) {
            String timestamp = Long.toString(clock.instant().getEpochSecond());
            body.put("timestamp", timestamp);
            body.put("sign", Base64.getEncoder().encodeToString(hmac(timestamp + "\n" + secret, new byte[0])));
        }
        body.put("msg_type", "text");
        body.put("content", Map.of("text", text));
        return body;
    }

    /** Returns whether the service rejected the message. DingTalk and Feishu respond with 200 and report rejection in the body. */
    boolean isRefusal(ChannelKind kind, String answer) {
        if (kind != ChannelKind.DINGTALK && kind != ChannelKind.FEISHU) {
            return false;
        }
        try {
            JsonNode body = json.readTree(answer);
            String field = kind == ChannelKind.DINGTALK ? "errcode" : body.has("code") ? "code" : "StatusCode";
            return body.path(field).asInt(-1) != 0;
        } catch (JacksonException e) {
            return true;
        }
    }

    private String text(Map<String, ?> body) {
        return json.writeValueAsString(body);
    }

    private static byte[] hmac(String key, byte[] data) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(utf8(key), "HmacSHA256"));
            return mac.doFinal(data);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("HmacSHA256 is part of every Java", e);
        }
    }

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
