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
 * Delivers batches of results and deletes their files after an admin's 200, never before. The files found at the start come
 * first. When no admin takes anything it rests, longer with every failure up to the retry interval. Files that were refused
 * wait for the retry interval and then queue up again behind the others.
 */
final class CallbackSender {

    private static final Logger log = LoggerFactory.getLogger(CallbackSender.class);
    private static final int MAX_ITEMS = 1_000;
    private static final int MAX_CHARACTERS = 600_000;
    private static final Duration FIRST_REST = Duration.ofMillis(200);

    /** How many names of waiting files are kept; what is beyond is found again by looking into the directory. */
    static final int NAMES_TO_KEEP = 50_000;

    private final CallbackFiles files;
    private final SendQueue queue;
    private final BatchSender<CallbackItem> sender;
    private final Duration retryInterval;
    private final Runnable onLeftoversDelivered;

    /**
     * When the newest file found at the start was written, null when there was none: what is not younger counts as left over.
     * The file system's own times are compared with each other only; should its clock be set back, a file too many counts.
     */
    private final FileTime newestLeftover;

    /** Written by the sender's thread only. */
    private final Set<Path> refused = ConcurrentHashMap.newKeySet();

    // Only the sender's thread touches these.
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

    /** One pass of its loop; returns how long to rest before the next one. */
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

    /** While no admin takes results, those that a full disk has refused are offered to it again. */
    private void saveWhatIsInMemoryOnly() {
        try {
            for (Batch batch : queue.withoutFile()) {
                queue.replace(batch, new Batch(files.write(batch.items()), batch.items()));
            }
        } catch (IOException e) {
            log.debug("results still cannot be written to disk", e);
        }
    }

    /** Whether it waits after a failure, so that new results are no reason to try again, but an admin that answers is. */
    boolean isResting() {
        return resting;
    }

    /** Whether all that an earlier executor left in the directory has been delivered or set aside. */
    boolean leftoversDelivered() {
        return leftoversDelivered;
    }

    /** How many files wait because they were refused or cannot be read. */
    int refused() {
        return refused.size();
    }

    /** Reads what waits on disk into memory, as far as there is room. */
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

    /** Returns whether to go on at once. */
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

    /** What was refused is on disk and tried again later; what was not tried keeps waiting for its turn. */
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

    /** Takes a batch that nobody wants out of the way of the others. One without a file gets one first. */
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

    /** A file that cannot be deleted is sent again some time, which does no harm. */
    private void delete(Path file) {
        try {
            files.delete(file);
        } catch (IOException e) {
            refused.add(file);
            log.atWarn().setCause(e).addKeyValue("file", file).log("a file of delivered results cannot be deleted");
        }
    }

    /** One leftover is kept in sight; only when it has gone is the directory searched for another. */
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
