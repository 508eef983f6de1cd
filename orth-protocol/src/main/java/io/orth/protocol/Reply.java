package io.orth.protocol;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The envelope of every answer: HTTP is always 200, the outcome is in {@code code}.
 *
 * <p>Written with the payload under both names, {@code content} and {@code data}, because the generations of this wire
 * disagree about the name. Where the peer expects a string payload it must be a string or null.
 */
public record Reply(int code, String msg, Object payload) implements WireMessage {

    public static Reply ok() {
        return new Reply(Codes.SUCCESS, null, null);
    }

    public static Reply ok(WireMessage payload) {
        return new Reply(Codes.SUCCESS, null, payload.toJson());
    }

    /** For peers that are Orth's own: the payload under one name only, where writing and reading it twice would cost. */
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

    /** The payload as an object, for the answers that carry one. */
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
