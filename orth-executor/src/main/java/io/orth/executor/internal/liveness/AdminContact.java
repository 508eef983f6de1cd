package io.orth.executor.internal.liveness;

import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.transport.HomeInstallation;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.RegistrationReply;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides from acknowledged heartbeats whether work may start. Each heartbeat acknowledged by an Orth admin opens the gate for
 * {@link HeartbeatRule#startLease()}, counted from when it was sent, after the runs and messages that the reply revokes have been
 * handled. An admin that misses heartbeats for that long may declare the runs lost and dispatch them elsewhere. If the reply
 * shows that this executor was declared dead, all of its work is ended first. The rule is that of the latest reply. If the gate
 * was closed, messages that have not started are released before it opens. Admins other than Orth's do not declare executors dead
 * that fast and know no instances; with them the gate stays open.
 *
 * <p>Once an Orth admin has replied, only Orth admins count.
 */
public final class AdminContact {

    private static final Logger log = LoggerFactory.getLogger(AdminContact.class);
    private static final int REVOCATIONS_TO_REMEMBER = 100_000;

    private final HomeInstallation home = new HomeInstallation();
    private final StartGate gate;
    private final Consumer<List<Long>> revoke;
    private final Runnable endAll;
    private final Runnable returnUnstarted;
    private final LongSupplier nanos;

    // Accessed by the heartbeat thread only: the latest revocations that were handled, whether the closed gate was
    // logged, and the latest incarnation whose predecessors' work was ended; null before an admin has named one.
    private final Set<Long> revoked = new LinkedHashSet<>();
    private Long incarnation;
    private boolean toldShut;

    private volatile HeartbeatRule rule = HeartbeatRule.DEFAULT;
    private volatile boolean underOrth;
    private volatile boolean acknowledged;
    private volatile Long lastSentNanos;

    /** The revocations of the last reply, all of them handled. */
    private volatile List<Long> applied = List.of();

    /**
     * @param revoke drops or kills runs and messages; called once for each
     * @param endAll kills all accepted work
     * @param returnUnstarted releases messages that have not started
     * @param nanos the monotonic clock that the gate uses as well
     */
    public AdminContact(
            StartGate gate,
            Consumer<List<Long>> revoke,
            Runnable endAll,
            Runnable returnUnstarted,
            LongSupplier nanos) {
        this.gate = gate;
        this.revoke = revoke;
        this.endAll = endAll;
        this.returnUnstarted = returnUnstarted;
        this.nanos = nanos;
    }

    /** Handles the reply to a heartbeat that was sent at {@code sentNanos}. */
    void acknowledged(RegistrationReply reply, long sentNanos) {
        if (reply.fromOrth()) {
            underOrth = true;
            home.learn(reply.installationId());
            if (reply.heartbeats() != null) {
                rule = reply.heartbeats();
            }
            applyRevocations(reply.revoked());
            endAllAfterDeath(reply.incarnation());
            if (!gate.isOpen()) {
                returnUnstarted.run();
            }
            gate.openUntil(sentNanos + rule.startLease().toNanos());
            tell(false);
        }
        lastSentNanos = sentNanos;
        acknowledged = true;
    }

    /** Handles a heartbeat that no admin acknowledged. */
    void missed() {
        acknowledged = false;
        tell(!gate.isOpen());
    }

    /** Records that an admin has confirmed the deregistration. */
    void left() {
        acknowledged = false;
    }

    /** Logs each opening and closing once. */
    private void tell(boolean shut) {
        if (shut && !toldShut) {
            log.warn("no admin has acknowledged a beat for {}: no run is started until one does", rule.startLease());
        } else if (!shut && toldShut) {
            log.info("an admin acknowledges beats again: runs are started again");
        }
        toldShut = shut;
    }

    private void applyRevocations(Collection<Long> runs) {
        List<Long> fresh =
                runs.stream().distinct().filter(run -> !revoked.contains(run)).toList();
        if (!fresh.isEmpty()) {
            revokeNow(fresh);
        }
        applied = List.copyOf(runs);
    }

    /**
     * Ends all work accepted before this executor was declared dead. Needed because the list of revocations is bounded in length
     * and time.
     */
    private void endAllAfterDeath(Long current) {
        if (incarnation != null && current != null && !current.equals(incarnation)) {
            log.warn("this executor was declared dead; all work that it had is ended");
            endAll.run();
        }
        if (current != null) {
            incarnation = current;
        }
    }

    private void revokeNow(List<Long> fresh) {
        log.atWarn()
                .addKeyValue("runs", fresh.size())
                .log("an admin revoked runs or messages; they are dropped or ended");
        revoke.accept(fresh);
        revoked.addAll(fresh);
        while (revoked.size() > REVOCATIONS_TO_REMEMBER) {
            revoked.remove(revoked.iterator().next());
        }
    }

    /** Returns the revocations of the last reply, which the next heartbeat acknowledges. */
    public List<Long> appliedRevocations() {
        return applied;
    }

    /** Returns the installation of the responding admins. */
    public HomeInstallation home() {
        return home;
    }

    /** Returns the admins' rule for sending heartbeats and starting work. */
    public HeartbeatRule rule() {
        return rule;
    }

    /** Returns whether an Orth admin has ever replied. */
    boolean underOrth() {
        return underOrth;
    }

    /** Returns whether the last heartbeat was acknowledged and the executor has not deregistered since. */
    public boolean isRegistered() {
        return acknowledged;
    }

    /** Returns the time since the last acknowledged heartbeat was sent; null if there was none. */
    public Duration sinceLastBeat() {
        Long sent = lastSentNanos;
        return sent == null ? null : Duration.ofNanos(nanos.getAsLong() - sent);
    }
}
