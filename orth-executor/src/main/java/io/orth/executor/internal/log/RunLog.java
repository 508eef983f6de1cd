package io.orth.executor.internal.log;

import io.orth.executor.internal.CleanText;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The log of one run. A line is in the file when the call returns. A log that cannot be written never fails the run: the
 * line is lost, our own log says so once, and the run's log when it can be written again.
 *
 * <p>Threads that outlive their run may still add lines; each then opens the file for itself.
 */
public final class RunLog implements AutoCloseable {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    /** An instant as text. Lines that come quickly share one. */
    private record Stamp(long millis, String text) {}

    private final RunLogFiles files;
    private final Path file;
    private final Clock clock;

    /** What the run writes to, shared by its threads; {@link #CLOSED} has no writer. */
    private record Open(LogWriter writer) {}

    private static final Open CLOSED = new Open(null);

    /** Null before the first line: most messages of a busy queue never have one. */
    private final AtomicReference<Open> open = new AtomicReference<>();

    private volatile Stamp lastStamp = new Stamp(Long.MIN_VALUE, "");

    RunLog(RunLogFiles files, Path file, Clock clock) {
        this.files = files;
        this.file = file;
        this.clock = clock;
    }

    public void line(String text) {
        String line = now() + " [" + Thread.currentThread().getName() + "] " + text + "\n";
        append(CleanText.of(line).getBytes(StandardCharsets.UTF_8));
    }

    public void line(String text, Throwable problem) {
        line(text + "\n" + stackTraceOf(problem).stripTrailing());
    }

    public static String stackTraceOf(Throwable problem) {
        StringWriter text = new StringWriter();
        problem.printStackTrace(new PrintWriter(text));
        return text.toString();
    }

    @Override
    public void close() {
        Open before = open.getAndSet(CLOSED);
        boolean first = before == null || before.writer() != null;
        if (before != null && first) {
            files.release(file);
        }
        if (first) {
            files.grown(file);
        }
    }

    private void append(byte[] line) {
        LogWriter writer = writer();
        if (writer == null || !writer.append(line)) {
            appendAfterClose(line);
        }
        files.grown(file);
    }

    private LogWriter writer() {
        if (open.get() == null && !open.compareAndSet(null, new Open(files.acquire(file)))) {
            // Another thread was first, with a line or with closing it.
            files.release(file);
        }
        return open.get().writer();
    }

    private void appendAfterClose(byte[] line) {
        LogWriter reopened = files.acquire(file);
        try {
            reopened.append(line);
        } finally {
            files.release(file);
        }
    }

    private String now() {
        long millis = clock.millis();
        Stamp stamp = lastStamp;
        if (stamp.millis() != millis) {
            stamp = new Stamp(millis, TIME.format(Instant.ofEpochMilli(millis).atZone(clock.getZone())));
            lastStamp = stamp;
        }
        return stamp.text();
    }
}
