package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The envelope of every response: the HTTP status is always 200, the outcome is in {@code code}.
 *
 * <p>The payload is written under two names, {@code content} and {@code data}, because the generations of this wire use different ones.
 * If the peer expects a string payload, it must be a string or null.
 */
public record Reply(int code, String msg, Object payload) implements WireMessage {

    public static Reply ok() {
        return new Reply(Codes.SUCCESS, null, null);
    }

    public static Reply ok(WireMessage payload) {
        return new Reply(Codes.SUCCESS, null, payload.toJson());
    }

    /** Returns a reply for Orth peers, with the payload under one name only. This avoids the cost of writing and reading it twice. */
    public static WireMessage lean(WireMessage payload) {
        if (payload instanceof ToldMessage told) {
            return (ToldMessage) fields -> fields.put("code", Codes.SUCCESS).putObject("content", told::tell);
        }
        return () -> new Fields()
                .put("code", Codes.SUCCESS)
                .put("content", payload.toJson())
                .toMap();
    }

    public static Reply fail(String msg) {
        return new Reply(Codes.FAIL, msg, null);
    }

    public boolean succeeded() {
        return code == Codes.SUCCESS;
    }

    public static Reply from(JsonObject json) {
        Object payload = json.has("content") ? json.raw("content") : json.raw("data");
        return new Reply(json.requiredInteger("code"), json.text("msg"), payload);
    }

    /** Returns the payload as an object, for responses that carry one. */
    public JsonObject payloadObject() {
        return JsonObject.of(payload, "the payload");
    }

    @Override
    public Map<String, Object> toJson() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("code", code);
        json.put("msg", msg);
        json.put("content", payload);
        json.put("data", payload);
        return json;
    }
}
