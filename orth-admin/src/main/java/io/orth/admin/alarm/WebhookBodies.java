package io.orth.admin.alarm;

import io.orth.protocol.WebhookSignature;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What each service wants to be posted, how it wants it signed, and how it says no with a 200. */
final class WebhookBodies {

    private final JsonMapper json = JsonMapper.builder().build();
    private final Clock clock;

    WebhookBodies(Clock clock) {
        this.clock = clock;
    }

    /** {@code signature} goes into a header; null where there is none. */
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
        body.put("runs", message.runs().stream().map(WebhookBodies::run).toList());
        body.put(
                "pipelineRuns",
                message.pipelineRuns().stream()
                        .map(run -> pipelineRun(run, message.urlOf(run)))
                        .toList());
        body.put(
                "alerts",
                message.notices().stream()
                        .map(notice -> alert(notice, message.urlOf(notice)))
                        .toList());
        String written = text(body);
        String signature = secret == null ? null : WebhookSignature.of(secret, utf8(written));
        return new Post(address, written, signature);
    }

    /** Ids are texts, as everywhere in JSON of Orth. */
    private static Map<String, Object> run(AlarmMessage.Told run) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("runId", Long.toString(run.runId()));
        one.put("jobId", Integer.toString(run.jobId()));
        one.put("job", run.job());
        one.put("group", run.group());
        one.put("status", run.status());
        one.put("triggerCode", run.triggerCode());
        one.put("handleCode", run.handleCode());
        one.put("attempt", run.attempt());
        one.put("message", run.message());
        one.put("finishedAt", run.finishedAt() == null ? null : run.finishedAt().toString());
        one.put("url", run.url());
        return one;
    }

    private static Map<String, Object> pipelineRun(FailedPipelineRun run, String url) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("runId", Long.toString(run.runId()));
        one.put("pipeline", run.pipeline());
        one.put("message", run.message());
        one.put("failedAt", run.failedAt().toString());
        one.put("url", url);
        return one;
    }

    private static Map<String, Object> alert(AlarmNotice notice, String url) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("queue", notice.queue());
        one.put("rule", notice.rule());
        one.put("state", notice.over() ? "RECOVERED" : "FIRING");
        one.put("text", notice.text());
        one.put("at", notice.at().toString());
        one.put("url", url);
        return one;
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

    /** Feishu signs nothing with a key made of time and secret. */
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

    /** DingTalk and Feishu answer 200 and say in the body whether they took it. */
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
