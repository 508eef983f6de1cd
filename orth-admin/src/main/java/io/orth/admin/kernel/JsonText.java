package io.orth.admin.kernel;

import io.orth.protocol.Json;
import io.orth.protocol.WireFormatException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** JSON in the text form that the database accepts and returns. */
public final class JsonText {

    private JsonText() {}

    public static String of(Object tree) {
        return new String(Json.write(tree), StandardCharsets.UTF_8);
    }

    /** Returns an object of alternating names and values; entries with a null value are omitted. */
    public static String object(Object... pairs) {
        Map<String, Object> fields = new LinkedHashMap<>();
        for (int i = 0; i < pairs.length; i += 2) {
            if (pairs[i + 1] != null) {
                fields.put((String) pairs[i], pairs[i + 1]);
            }
        }
        return of(fields);
    }

    /** Returns whether the database accepts {@code text}: valid JSON, within the limits, without the NUL character. */
    public static boolean fits(String text, int mostBytes) {
        if (text == null) {
            return true;
        }
        if (text.length() > mostBytes
                || text.getBytes(StandardCharsets.UTF_8).length > mostBytes
                || text.contains("\\u0000")) {
            return false;
        }
        try {
            Json.read(text.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (WireFormatException e) {
            return false;
        }
    }

    public static Map<String, String> texts(String text) {
        return text == null
                ? Map.of()
                : Json.readObject(("{\"texts\":" + text + "}").getBytes(StandardCharsets.UTF_8))
                        .texts("texts");
    }
}
