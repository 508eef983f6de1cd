package io.orth.admin.security;

import io.orth.admin.kernel.Ticker;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limit on request threads that wait for bodies which have not arrived, by kind of caller. Slow senders of one kind can occupy only their
 * share of the threads, so health checks and other callers are still served.
 */
public final class BodyWaits {

    /** Kind of caller that sends a body. */
    public enum Caller {
        ANONYMOUS,
        USER,
        EXECUTOR
    }

    private static final Logger log = LoggerFactory.getLogger(BodyWaits.class);

    /** Two kinds together leave a fifth of the threads free. */
    private static final int SHARE_PERCENT = 40;

    private static final long REPORT_INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Map<Caller, Semaphore> shares = new EnumMap<>(Caller.class);
    private final Map<String, Integer> anonymousByNetwork = new ConcurrentHashMap<>();
    private final int maxAnonymousPerNetwork;
    private final Ticker ticker;
    private final AtomicLong reportedAt;

    /** @param requestThreads number of threads that serve requests */
    public BodyWaits(int requestThreads, Ticker ticker) {
        int share = Math.max(1, requestThreads * SHARE_PERCENT / 100);
        for (Caller caller : Caller.values()) {
            shares.put(caller, new Semaphore(share));
        }
        this.maxAnonymousPerNetwork = Math.max(1, share / 2);
        this.ticker = ticker;
        this.reportedAt = new AtomicLong(ticker.nanos() - REPORT_INTERVAL_NANOS);
    }

    /** Acquires the right to wait for one body, until it is closed. Returns empty if too many threads wait already. */
    public Optional<Wait> begin(Caller caller, String address) {
        String network = caller == Caller.ANONYMOUS ? LoginThrottle.network(address) : null;
        if (!shares.get(caller).tryAcquire()) {
            return refused(caller, address);
        }
        if (network != null && anonymousByNetwork.merge(network, 1, Integer::sum) > maxAnonymousPerNetwork) {
            new Wait(caller, network).close();
            return refused(caller, address);
        }
        return Optional.of(new Wait(caller, network));
    }

    private Optional<Wait> refused(Caller caller, String address) {
        long last = reportedAt.get();
        long now = ticker.nanos();
        if (now - last >= REPORT_INTERVAL_NANOS && reportedAt.compareAndSet(last, now)) {
            log.atWarn()
                    .addKeyValue("caller", caller)
                    .addKeyValue("address", address)
                    .log("refused a request: as many request bodies as allowed are still arriving");
        }
        return Optional.empty();
    }

    /** Right of one thread to wait for a body. */
    public final class Wait implements AutoCloseable {

        private final Caller caller;
        private final String network;

        private Wait(Caller caller, String network) {
            this.caller = caller;
            this.network = network;
        }

        @Override
        public void close() {
            if (network != null) {
                anonymousByNetwork.computeIfPresent(network, (key, waits) -> waits == 1 ? null : waits - 1);
            }
            shares.get(caller).release();
        }
    }
}
