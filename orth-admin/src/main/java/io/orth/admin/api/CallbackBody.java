package io.orth.admin.api;

import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.WireFormatException;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Parser of results in all generations of the wire protocol: an array, or an object that contains one. */
final class CallbackBody {

    private static final Logger log = LoggerFactory.getLogger(CallbackBody.class);

    /** Field that holds the results in the newest generation. */
    private static final String LIST = "callbackList";

    private CallbackBody() {}

    /**
     * Parses results. An Orth executor whose batch is rejected sends it in halves until the invalid result is isolated. Other executors
     * resend the same batch forever, so their invalid results are skipped unless all are invalid.
     */
    static List<CallbackItem> read(byte[] body) {
        List<CallbackItem> results = new ArrayList<>();
        WireFormatException bad = null;
        for (JsonObject item : items(body)) {
            try {
                results.add(CallbackItem.from(item));
            } catch (WireFormatException e) {
                if (item.has("instanceId")) {
                    throw e;
                }
                log.atWarn().addKeyValue("reason", e.getMessage()).log("passed over a result that cannot be read");
                bad = e;
            }
        }
        if (bad != null && results.isEmpty()) {
            throw bad;
        }
        return results;
    }

    private static List<JsonObject> items(byte[] body) {
        if (!isObject(body)) {
            return Json.readArray(body);
        }
        JsonObject holder = Json.readObject(body);
        if (!holder.has(LIST)) {
            throw new WireFormatException("'%s' is missing".formatted(LIST));
        }
        return holder.objects(LIST);
    }

    private static boolean isObject(byte[] body) {
        for (byte each : body) {
            if (!Character.isWhitespace(each)) {
                return each == '{';
            }
        }
        return false;
    }
}
