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
 * The log of one run. A line is in the file when the call returns. A log that cannot be written never fails the run: the line is
 * lost, the executor's own log reports it once, and the run's log reports it as soon as it is writable again.
 *
 * <p>Threads that outlive their run may still add lines; each call then opens the file separately.
 */
public final class RunLog implements AutoCloseable {

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    /** A formatted timestamp, shared by lines of the same millisecond. */
    private record Stamp(long millis, String text) {}

    private final RunLogFiles files;
    private final Path file;
    private final Clock clock;

    /** The writer shared by the threads of the run; {@link #CLOSED} has none. */
    private record Open(LogWriter writer) {}

    private static final Open CLOSED = new Open(null);

    /** Null before the first line. Most messages of a busy queue never write one. */
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
            // Another thread has opened or closed the log first.
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
