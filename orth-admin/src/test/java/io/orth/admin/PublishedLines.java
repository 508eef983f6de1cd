package io.orth.admin;

import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A system log that only remembers, as {@code LEVEL message [worker]}. */
public final class PublishedLines implements SystemLog {

    private final List<String> lines = new CopyOnWriteArrayList<>();

    @Override
    public void publish(LogLevel level, String message, String workerId, String queue) {
        lines.add("%s %s%s".formatted(level, message, workerId == null ? "" : " [" + workerId + "]"));
    }

    public List<String> lines() {
        return List.copyOf(lines);
    }
}
