package io.orth.executor.internal.callback;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.BatchSender;
import io.orth.executor.internal.transport.BatchSender.Delivery;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.CallbackItem;
import io.orth.protocol.Json;
import io.orth.runtime.DoublingDelay;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers batches of results and deletes their files only after an admin's 200 response. Files found at startup come first. If
 * no admin accepts anything, the delay grows with every failure up to the retry interval. Rejected files wait for the retry
 * interval and then rejoin the queue behind the others.
 */
final class CallbackSender {

    private static final Logger log = LoggerFactory.getLogger(CallbackSender.class);
    private static final int MAX_ITEMS = 1_000;
    private static final int MAX_CHARACTERS = 600_000;
    private static final Duration FIRST_REST = Duration.ofMillis(200);

    /** Maximum number of file names kept in memory; further files are found by listing the directory. */
    static final int NAMES_TO_KEEP = 50_000;

    private final CallbackFiles files;
    private final SendQueue queue;
    private final BatchSender<CallbackItem> sender;
    private final Duration retryInterval;
    private final Runnable onLeftoversDelivered;

    /**
     * Modification time of the newest file found at startup, null if there was none; files that are not newer count as leftovers.
     * Times of the file system are compared with each other only. If its clock is set back, a file too many may count.
     */
    private final FileTime newestLeftover;

    /** Written by the sender's thread only. */
    private final Set<Path> refused = ConcurrentHashMap.newKeySet();

    // Accessed by the sender's thread only.
    private Path leftover;
    private Duration rest;
    private long lastRetry = System.nanoTime();

    private volatile boolean resting;
    private volatile boolean leftoversDelivered;

    CallbackSender(
            CallbackFiles files, SendQueue queue, Admins admins, Duration retryInterval, Runnable onLeftoversDelivered)
            throws IOException {
        this.files = files;
        this.queue = queue;
        this.sender = new BatchSender<>(
                items -> admins.post(AdminPaths.CALLBACK, Json.write(items)),
                new DoublingDelay(FIRST_REST, retryInterval));
        this.retryInterval = retryInterval;
        this.onLeftoversDelivered = onLeftoversDelivered;
        this.newestLeftover = files.newest().orElse(null);
        this.leftoversDelivered = newestLeftover == null;
        queue.addFiles(files.list(NAMES_TO_KEEP + 1, file -> true));
    }

    /** Runs one pass of the loop. Returns the delay before the next one. */
    Duration run() throws IOException, InterruptedException {
        resting = false;
        refill();
        List<Batch> first = queue.peek(MAX_ITEMS, MAX_CHARACTERS);
        boolean goOn = !first.isEmpty() && send(first);
        lookForLeftovers();
        if (goOn) {
            return Duration.ZERO;
        }
        saveWhatIsInMemoryOnly();
        resting = !first.isEmpty();
        return resting ? rest : retryInterval;
    }

    /** Writes results again that a full disk rejected, as long as no admin accepts them. */
    private void saveWhatIsInMemoryOnly() {
        try {
            for (Batch batch : queue.withoutFile()) {
                queue.replace(batch, new Batch(files.write(batch.items()), batch.items()));
            }
        } catch (IOException e) {
            log.debug("results still cannot be written to disk", e);
        }
    }

    /** Returns whether the sender waits after a failure. New results then do not cause an attempt, but a response of an admin does. */
    boolean isResting() {
        return resting;
    }

    /** Returns whether all files of an earlier executor have been delivered or set aside. */
    boolean leftoversDelivered() {
        return leftoversDelivered;
    }

    /** Returns the number of files that wait because they were rejected or cannot be read. */
    int refused() {
        return refused.size();
    }

    /** Reads waiting files into memory, up to its limit. */
    private void refill() throws IOException {
        retryRefused();
        if (queue.takeMoreOnDisk()) {
            queue.addFiles(files.list(NAMES_TO_KEEP + 1, file -> !queue.contains(file) && !refused.contains(file)));
        }
        for (Path file = queue.nextFile(); file != null; file = queue.nextFile()) {
            read(file);
        }
    }

    private void retryRefused() {
        if (System.nanoTime() - lastRetry >= retryInterval.toNanos()) {
            lastRetry = System.nanoTime();
            queue.addFiles(refused);
            refused.clear();
        }
    }

    private void read(Path file) {
        try {
            files.read(file).ifPresent(queue::addRead);
        } catch (IOException e) {
            log.atWarn().setCause(e).addKeyValue("file", file).log("a file of results cannot be read");
            refused.add(file);
        }
    }

    /** Sends batches. Returns whether to continue immediately. */
    private boolean send(List<Batch> batches) throws InterruptedException {
        Delivery<CallbackItem> delivery = sender.send(
                batches.stream().flatMap(batch -> batch.items().stream()).toList());
        rest = sender.restAfter(delivery);
        if (delivery.outcome() instanceof Outcome.Refused refusal) {
            log.atWarn()
                    .addKeyValue("results", delivery.refused().size())
                    .log("an admin refused results; they are tried again later: {}", refusal.reason());
        }
        try {
            Set<CallbackItem> refusedAlone = new HashSet<>(delivery.refused());
            Set<CallbackItem> untried = new HashSet<>(delivery.untried());
            for (Batch batch : batches) {
                settle(batch, partOf(batch, refusedAlone), partOf(batch, untried));
            }
        } catch (IOException e) {
            log.debug("refused results cannot be put aside on disk and stay in memory", e);
            rest = rest.isZero() ? FIRST_REST : rest;
            return false;
        }
        return rest.isZero();
    }

    private static List<CallbackItem> partOf(Batch batch, Set<CallbackItem> items) {
        return items.isEmpty()
                ? List.of()
                : batch.items().stream().filter(items::contains).toList();
    }

    /** Settles a batch: rejected results are on disk and retried later; unsent ones keep their place in the queue. */
    private void settle(Batch batch, List<CallbackItem> refusedAlone, List<CallbackItem> untried) throws IOException {
        int all = batch.items().size();
        if (untried.size() == all) {
            return;
        }
        if (refusedAlone.size() == all) {
            putBack(batch);
            return;
        }
        if (!refusedAlone.isEmpty()) {
            refused.add(files.write(refusedAlone));
        }
        if (!untried.isEmpty()) {
            queue.add(new Batch(files.write(untried), untried));
        }
        delivered(batch);
    }

    /** Moves a batch that no admin accepts out of the way of the others. A batch without a file gets one first. */
    private void putBack(Batch batch) throws IOException {
        refused.add(batch.file() == null ? files.write(batch.items()) : batch.file());
        queue.remove(batch);
    }

    private void delivered(Batch batch) {
        queue.remove(batch);
        if (batch.file() != null) {
            delete(batch.file());
        }
    }

    /** Deletes a file. If that fails, the file is sent again later, which is harmless. */
    private void delete(Path file) {
        try {
            files.delete(file);
        } catch (IOException e) {
            refused.add(file);
            log.atWarn().setCause(e).addKeyValue("file", file).log("a file of delivered results cannot be deleted");
        }
    }

    /** Remembers one leftover file; the directory is searched for another only after that one has been deleted. */
    private void lookForLeftovers() {
        if (leftoversDelivered || (leftover != null && Files.exists(leftover, LinkOption.NOFOLLOW_LINKS))) {
            return;
        }
        try {
            leftover = files.findWrittenUntil(newestLeftover).orElse(null);
            leftoversDelivered = leftover == null;
        } catch (IOException e) {
            log.debug("the directory of results cannot be searched for leftovers", e);
        }
        if (leftoversDelivered) {
            log.info("delivered all results that were left from before the start");
            onLeftoversDelivered.run();
        }
    }
}
