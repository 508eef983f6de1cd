package io.orth.executor.internal.log;

import io.orth.executor.internal.CleanText;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log of one run. A line is in the file when the call returns. A log that cannot be written never fails the run: the
 * line is lost and our own log says so once.
 *
 * <p>Threads that outlive their run may still add lines; each then opens the file for itself.
 */
public final class RunLog implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(RunLog.class);
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSS");

    private final Path file;
    private final Clock clock;
    private final long maxBytes;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock.
    private OutputStream out;
    private long written;
    private boolean full;
    private boolean failed;
    private boolean closed;

    RunLog(Path file, Clock clock, long maxBytes) {
        this.file = file;
        this.clock = clock;
        this.maxBytes = maxBytes;
    }

    public void line(String text) {
        String line = "%s [%s] %s\n"
                .formatted(
                        TIME.format(ZonedDateTime.now(clock)),
                        Thread.currentThread().getName(),
                        text);
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
        lock.lock();
        try {
            closed = true;
            release();
        } catch (IOException e) {
            complain(e);
        } finally {
            lock.unlock();
        }
    }

    private void append(byte[] line) {
        lock.lock();
        try {
            if (!full) {
                write(line);
            }
        } catch (IOException e) {
            complain(e);
        } finally {
            lock.unlock();
        }
    }

    private void write(byte[] line) throws IOException {
        if (out == null) {
            Files.createDirectories(file.getParent());
            // Not a channel: interrupting the handler would close one.
            out = new FileOutputStream(file.toFile(), true);
            written = Files.size(file);
        }
        if (written + line.length > maxBytes) {
            full = true;
            out.write("[the log has reached %,d bytes; what follows is left out]\n"
                    .formatted(maxBytes)
                    .getBytes(StandardCharsets.UTF_8));
        } else {
            out.write(line);
            written += line.length;
        }
        if (closed) {
            release();
        }
    }

    private void release() throws IOException {
        if (out != null) {
            OutputStream closing = out;
            out = null;
            closing.close();
        }
    }

    private void complain(IOException e) {
        if (!failed) {
            failed = true;
            log.atWarn().setCause(e).addKeyValue("file", file).log("a run's log cannot be written");
        }
    }
}
