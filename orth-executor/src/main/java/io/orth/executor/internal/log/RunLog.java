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

    /** Null when closed. */
    private final AtomicReference<LogWriter> writer;

    private volatile Stamp lastStamp = new Stamp(Long.MIN_VALUE, "");

    RunLog(RunLogFiles files, Path file, Clock clock) {
        this.files = files;
        this.file = file;
        this.clock = clock;
        this.writer = new AtomicReference<>(files.acquire(file));
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
        if (writer.getAndSet(null) != null) {
            files.release(file);
            files.grown(file);
        }
    }

    private void append(byte[] line) {
        LogWriter open = writer.get();
        if (open == null || !open.append(line)) {
            appendAfterClose(line);
        }
        files.grown(file);
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
