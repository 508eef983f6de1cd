package io.orth.executor.internal.callback;

import io.orth.executor.OrthJobContext;
import io.orth.executor.RunResult;
import io.orth.executor.internal.CleanText;
import io.orth.executor.internal.ExecutorLoops;
import io.orth.executor.internal.job.ResultSink;
import io.orth.executor.internal.transport.Admins;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.MessageResult;
import io.orth.protocol.TextLimit;
import io.orth.runtime.PeriodicLoop;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Delivers results from handlers to the admin: write to disk, queue, send, delete from disk. */
public final class Callbacks implements ResultSink {

    /** The limits of the delivery: results that wait for the disk, text queued in memory, and the retry interval. */
    public record Settings(int unwritten, int queuedCharacters, Duration retryInterval) {

        public static Settings withRetryInterval(Duration retryInterval) {
            return new Settings(CallbackJournal.CAPACITY, 8 * 1024 * 1024, retryInterval);
        }
    }

    private final String instanceId;
    private final CallbackFiles files;
    private final SendQueue queue;
    private final CallbackJournal journal;
    private final CallbackSender sender;
    private final PeriodicLoop sending;

    /** @throws IOException if the directory cannot be used or is in use by another executor */
    public Callbacks(Path directory, String instanceId, Admins admins, Settings settings, Runnable onLeftoversDelivered)
            throws IOException {
        this.instanceId = instanceId;
        this.files = CallbackFiles.open(directory);
        this.queue = new SendQueue(settings.queuedCharacters(), CallbackSender.NAMES_TO_KEEP);
        this.journal = new CallbackJournal(files, settings.unwritten(), this::enqueue, new DiskPace(System::nanoTime));
        this.sender = new CallbackSender(files, queue, admins, settings.retryInterval(), onLeftoversDelivered);
        this.sending = ExecutorLoops.loop("callback-sender", settings.retryInterval(), sender::run);
    }

    public void start() {
        journal.start();
        sending.start();
    }

    @Override
    public void finished(OrthJobContext run, RunResult result, Duration took) {
        // Truncated first, so that the cost of a text is bounded by the part that is sent.
        String message = result.text() == null ? null : CleanText.of(TextLimit.CALLBACK.cut(result.text()));
        journal.append(new CallbackItem(
                run.logId(),
                run.triggerTime().toEpochMilli(),
                result.code(),
                message,
                instanceId,
                result instanceof RunResult.FailedForGood,
                result instanceof RunResult.RetryAfter later ? MessageResult.millisOf(later.delay()) : null));
    }

    /** Notes that an admin has responded. If the last attempt failed, the next one starts immediately. */
    public void adminAnswered() {
        if (sender.isResting()) {
            sending.wake();
        }
    }

    public boolean leftoversDelivered() {
        return sender.leftoversDelivered();
    }

    /** Returns the number of results that no admin has confirmed; an unread file counts as one. */
    public long unsent() {
        // The order matters: a result enters the next place before it leaves the previous one.
        return (long) journal.size() + queue.size() + sender.refused();
    }

    /** Returns whether an admin has confirmed every result ever reported, including those on disk. */
    public boolean allDelivered() throws IOException {
        return unsent() == 0 && files.list(1, file -> true).isEmpty();
    }

    /** Delivers reported results for up to {@code grace}; the remaining ones stay on disk for the next start. */
    public void stop(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        try {
            // First, because without a disk the journal may be waiting for space in the queue.
            queue.close();
            journal.stop(grace);
            sending.finish(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        } finally {
            files.close();
        }
    }

    /** Releases the directory if the executor could not be started. */
    public void release() {
        files.close();
    }

    private void enqueue(Batch batch) {
        queue.add(batch);
        if (!sender.isResting()) {
            sending.wake();
        }
    }
}
