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

/** The way of a result from the handler to the admin: onto disk, into the queue, out, and off the disk. */
public final class Callbacks implements ResultSink {

    /** How results travel: how many may wait for the disk, how much text may wait in memory, and when to try again. */
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

    /** @throws IOException if the directory cannot be used, or another executor uses it */
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
        // Cut first: a text of any length then costs no more than what is sent of it.
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

    /** An admin has answered: if the last try failed, try again at once. */
    public void adminAnswered() {
        if (sender.isResting()) {
            sending.wake();
        }
    }

    public boolean leftoversDelivered() {
        return sender.leftoversDelivered();
    }

    /** How many results no admin has confirmed; a file that has not been read counts as one. */
    public long unsent() {
        // In this order: a result is in the next place before it leaves the one it was in.
        return (long) journal.size() + queue.size() + sender.refused();
    }

    /** Whether every result that was ever reported has been confirmed by an admin, those on disk included. */
    public boolean allDelivered() throws IOException {
        return unsent() == 0 && files.list(1, file -> true).isEmpty();
    }

    /** Delivers for {@code grace} what has been reported; what is left then stays on disk for the next start. */
    public void stop(Duration grace) throws InterruptedException {
        long deadline = System.nanoTime() + grace.toNanos();
        try {
            // First: without a disk the journal may be waiting for room in the queue.
            queue.close();
            journal.stop(grace);
            sending.finish(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
        } finally {
            files.close();
        }
    }

    /** Gives the directory back, for an executor that could not be started. */
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
