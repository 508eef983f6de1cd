package io.orth.executor.internal.pipeline;

import io.orth.protocol.TaskChild;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The tasks that a handler proposes, each target once. Thread-safe. */
final class Children {

    private record Target(String type, String id) {}

    private static final int MOST = 10_000;
    private static final int MOST_BYTES_IN_ALL = 4 * 1024 * 1024;
    private static final int LONGEST_ID = 200;
    private static final int MOST_META = 20;
    private static final int LONGEST_META_NAME = 64;
    private static final int LONGEST_META_VALUE = 256;
    private static final Pattern TYPE = Pattern.compile("[A-Za-z0-9._-]{1,64}");

    private final JsonText json;

    // Guarded by this.
    private final Map<Target, TaskChild> byTarget = new LinkedHashMap<>();
    private int bytes;

    Children(JsonText json) {
        this.json = json;
    }

    /** @throws TaskProblem if the child violates a limit; the message names the field */
    synchronized void add(String type, String id, Object params, Map<String, String> meta) {
        check("targetType", type != null && TYPE.matcher(type).matches(), "1 to 64 letters, digits and . _ -", type);
        check("targetId", id != null && LiveTask.isText(id, LONGEST_ID), "1 to 200 characters", id);
        check("meta", isMeta(meta), "at most 20 texts of 256 characters under names of 64", meta);
        if (byTarget.containsKey(new Target(type, id))) {
            return;
        }
        TaskChild child = new TaskChild(type, id, params == null ? null : paramsOf(params), meta);
        bytes += sizeOf(child);
        if (byTarget.size() >= MOST || bytes > MOST_BYTES_IN_ALL) {
            throw wrong("a task proposes at most %d children with %d bytes in all".formatted(MOST, MOST_BYTES_IN_ALL));
        }
        byTarget.put(new Target(type, id), child);
    }

    private String paramsOf(Object params) {
        String text;
        try {
            text = json.of(params);
        } catch (IllegalArgumentException e) {
            throw wrong("the child's params are no JSON: " + e.getMessage());
        }
        int size = sizeOf(text);
        check("params", size <= LiveTask.MOST_BYTES, "at most %d bytes".formatted(LiveTask.MOST_BYTES), size);
        return text;
    }

    private static boolean isMeta(Map<String, String> meta) {
        return meta != null
                && meta.size() <= MOST_META
                && meta.entrySet().stream()
                        .allMatch(entry -> entry.getKey() != null
                                && entry.getKey().length() <= LONGEST_META_NAME
                                && entry.getValue() != null
                                && entry.getValue().length() <= LONGEST_META_VALUE);
    }

    private static int sizeOf(TaskChild child) {
        int meta = child.meta().entrySet().stream()
                .mapToInt(entry -> sizeOf(entry.getKey()) + sizeOf(entry.getValue()))
                .sum();
        return sizeOf(child.targetType()) + sizeOf(child.targetId()) + sizeOf(child.params()) + meta;
    }

    private static int sizeOf(String text) {
        return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static void check(String field, boolean holds, String expected, Object value) {
        if (!holds) {
            throw wrong("the child's %s must be %s, got '%s'".formatted(field, expected, value));
        }
    }

    private static TaskProblem wrong(String what) {
        return new TaskProblem(TaskProblem.BAD_CHILD, what);
    }

    synchronized List<TaskChild> all() {
        return List.copyOf(byTarget.values());
    }
}
