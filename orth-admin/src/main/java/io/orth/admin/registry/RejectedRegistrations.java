package io.orth.admin.registry;

import io.orth.admin.kernel.Ticker;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Executors whose registration was rejected, with the reason. Any caller that reaches the port can cause entries, so everything is bounded:
 * the entries that a node holds between two passes, in total and per caller; the rows; and the lines in both logs, one for each kind of
 * rejection.
 */
@Component
public class RejectedRegistrations implements Duty {

    static final int MAX_ROWS = 200;
    static final int MAX_REMEMBERED = 200;
    static final int MAX_REMEMBERED_PER_PEER = 20;
    static final int MAX_LINES = 30;
    static final Duration LINES_PERIOD = Duration.ofMinutes(10);
    private static final Duration RETENTION = Duration.ofDays(7);

    private static final Logger log = LoggerFactory.getLogger(RejectedRegistrations.class);

    /** Number of rejections of one kind; {@code last} has the message that is shown. */
    record Counted(RejectedAttempt last, long times) {}

    private final RejectionRepository rejections;
    private final Transactions transactions;
    private final SystemLog systemLog;
    private final Ticker ticker;
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by lock: rejections since the last pass, keyed by everything except the message, and the number of
    // distinct ones per peer.
    private final Map<List<Object>, Counted> counted = new LinkedHashMap<>();
    private final Map<String, Integer> perPeer = new HashMap<>();

    // Accessed by the loop only: start of the current period in ticker time, and the lines logged in it.
    private long linesSince;
    private int lines;

    public RejectedRegistrations(JdbcClient jdbc, Transactions transactions, SystemLog systemLog, Ticker ticker) {
        this.rejections = new RejectionRepository(jdbc);
        this.transactions = transactions;
        this.systemLog = systemLog;
        this.ticker = ticker;
        this.linesSince = ticker.nanos();
    }

    /** Records a rejection without waiting for the database. If there is no room until the next pass, the rejection is dropped. */
    public void note(RejectedAttempt attempt) {
        lock.lock();
        try {
            List<Object> key = List.of(attempt.peer(), attempt.groupName(), attempt.address(), attempt.reason());
            Counted before = counted.get(key);
            if (before != null) {
                counted.put(key, new Counted(attempt, before.times() + 1));
            } else if (hasRoomFor(attempt.peer())) {
                counted.put(key, new Counted(attempt, 1));
                perPeer.merge(attempt.peer(), 1, Integer::sum);
            }
        } finally {
            lock.unlock();
        }
    }

    private boolean hasRoomFor(String peer) {
        return counted.size() < MAX_REMEMBERED && perPeer.getOrDefault(peer, 0) < MAX_REMEMBERED_PER_PEER;
    }

    /** Lists rejections, the most recently seen first. */
    public List<RejectedRegistration> list() {
        return rejections.list(RETENTION, MAX_ROWS);
    }

    /** Stores the rejections since the last pass. */
    @Override
    public Pass run() {
        List<Counted> toWrite = drain();
        if (!toWrite.isEmpty()) {
            report(transactions.call(() -> {
                List<RejectedAttempt> added = rejections.add(toWrite);
                rejections.prune(RETENTION, MAX_ROWS);
                return added;
            }));
        }
        return Pass.DRAINED;
    }

    private List<Counted> drain() {
        lock.lock();
        try {
            List<Counted> drained = List.copyOf(counted.values());
            counted.clear();
            perPeer.clear();
            return drained;
        } finally {
            lock.unlock();
        }
    }

    private void report(List<RejectedAttempt> added) {
        if (ticker.nanos() - linesSince >= LINES_PERIOD.toNanos()) {
            linesSince = ticker.nanos();
            lines = 0;
        }
        for (RejectedAttempt attempt : added) {
            if (lines < MAX_LINES) {
                say(attempt);
            } else if (lines == MAX_LINES) {
                log.warn("more registrations of executors are rejected; GET /api/rejected-registrations lists them");
                systemLog.warn("more registrations of executors are rejected; the page Executors lists them");
            }
            lines = Math.min(lines + 1, MAX_LINES + 1);
        }
    }

    private void say(RejectedAttempt attempt) {
        log.atWarn()
                .addKeyValue("peer", attempt.peer())
                .addKeyValue("group", attempt.groupName())
                .addKeyValue("address", attempt.address())
                .addKeyValue("reason", attempt.reason())
                .log("rejected the registration of an executor: {}", attempt.message());
        systemLog.warn("rejected the registration of an executor at '%s' for group '%s', which connected from %s: %s"
                .formatted(attempt.address(), attempt.groupName(), attempt.peer(), attempt.message()));
    }
}
