package io.orth.executor.internal.queue;

import io.orth.executor.OrthJobContext;
import io.orth.executor.internal.job.MessageQueue;
import io.orth.protocol.MessageResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The connection between one queue and the admins: its ledger, and the threads that claim messages and report results. */
final class QueueLine {

    private static final Logger log = LoggerFactory.getLogger(QueueLine.class);
    private static final int SLOTS_PER_STRAND = 64;
    private static final int MOST_STRANDS = 2;
    private static final long AFTER_INTERRUPT_MILLIS = 1_000;

    private final MessageQueue queue;
    private final QueueSettings settings;
    private final MessageLedger ledger;
    private final List<Strand> strands = new ArrayList<>();
    private final Reporter reporter;

    QueueLine(MessageQueue queue, QueueSettings settings) {
        this(queue, settings, ledgerFor(queue.concurrency()));
    }

    QueueLine(MessageQueue queue, QueueSettings settings, MessageLedger ledger) {
        this.queue = queue;
        this.settings = settings;
        this.ledger = ledger;
        int count = strandsFor(queue.concurrency());
        WorkLink link = new WorkLink(settings.admins(), settings.instanceId(), queue.name(), ledger);
        for (int number = 0; number < count; number++) {
            strands.add(new Strand(queue, number, ledger, link, settings));
        }
        this.reporter = new Reporter(queue.name(), ledger, link, settings.timeout());
    }

    private static MessageLedger ledgerFor(int concurrency) {
        int count = strandsFor(concurrency);
        return new MessageLedger(concurrency, (concurrency + count - 1) / count);
    }

    /**
     * Returns the number of claim loops. Several loops let admin and executor work concurrently, but a small number of slots is
     * not worth dividing.
     */
    static int strandsFor(int concurrency) {
        return Math.max(1, Math.min(MOST_STRANDS, concurrency / SLOTS_PER_STRAND));
    }

    void start() {
        strands.forEach(strand -> strand.thread().start());
        reporter.thread().start();
    }

    void finished(long logId, MessageResult result) {
        ledger.finished(logId, result);
    }

    /** @param unbegun returns the result to report for a message that has not started */
    void close(Function<OrthJobContext, MessageResult> unbegun) {
        ledger.close();
        strands.forEach(strand -> strand.thread().interrupt());
        takeBack(unbegun);
    }

    /** @param unbegun returns the result to report for a message that has not started */
    void returnUnstarted(Function<OrthJobContext, MessageResult> unbegun) {
        int messages = takeBack(unbegun);
        if (messages > 0) {
            log.info("{} messages of the queue {} go back, as they were not started in time", messages, queue.name());
        }
    }

    private int takeBack(Function<OrthJobContext, MessageResult> unbegun) {
        List<OrthJobContext> taken = settings.lanes().takeBack(queue);
        taken.forEach(run -> ledger.finished(run.logId(), unbegun.apply(run)));
        return taken.size();
    }

    boolean isOver() {
        return ledger.isOver();
    }

    int untold() {
        return ledger.untold();
    }

    Set<Long> unsent(Collection<Long> logIds) {
        return ledger.unsent(logIds);
    }

    /** Waits until every result is reported or the deadline has passed, then ends the threads. */
    void stop(long deadlineNanos) throws InterruptedException {
        try {
            for (Thread thread : threads()) {
                join(thread, Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis());
            }
        } finally {
            threads().forEach(Thread::interrupt);
        }
        for (Thread thread : threads()) {
            join(thread, AFTER_INTERRUPT_MILLIS);
        }
        if (ledger.untold() > 0) {
            log.warn(
                    "{} results of the queue {} were not delivered; those messages will be attempted again",
                    ledger.untold(),
                    queue.name());
        }
    }

    private static void join(Thread thread, long millis) throws InterruptedException {
        thread.join(Math.max(1, millis));
    }

    private List<Thread> threads() {
        List<Thread> all = new ArrayList<>(strands.stream().map(Strand::thread).toList());
        all.add(reporter.thread());
        return all;
    }
}
