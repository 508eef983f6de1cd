package io.orth.protocol;

import java.util.Map;

/** Lines of a log; {@code toLine < fromLine} means nothing new. Written with both spellings of the end flag. */
public record LogReply(int fromLine, int toLine, String text, boolean end) implements WireMessage {

    public static LogReply from(JsonObject json) {
        return new LogReply(
                json.integer("fromLineNum", 1),
                json.integer("toLineNum", 0),
                json.text("logContent", ""),
                json.flag("isEnd") || json.flag("end"));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("fromLineNum", fromLine)
                .put("toLineNum", toLine)
                .put("logContent", text)
                .put("isEnd", end)
                .put("end", end)
                .toMap();
    }
}
