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
 * What acknowledged beats allow. Each one of an Orth admin opens the gate for {@link HeartbeatRule#startLease()} from the moment it
 * was sent, once the runs and messages it revokes have been dealt with: an admin that missed our beats for that long may have called
 * our runs lost and sent them elsewhere. If the answer shows that this executor was declared dead, all work that it had is ended first.
 * The rule is the one that the latest answer names. If the gate was shut, messages that were not started go back before it opens. Other
 * admins never judge that fast and know nothing of instances; under them the gate stays open.
 *
 * <p>Once an Orth admin has answered, only Orth admins count.
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

    // Only the beat's thread touches these: the latest revocations that were dealt with, whether the log says it is
    // shut, and the latest incarnation whose predecessors' work was ended; null before an admin has named one.
    private final Set<Long> revoked = new LinkedHashSet<>();
    private Long incarnation;
    private boolean toldShut;

    private volatile HeartbeatRule rule = HeartbeatRule.DEFAULT;
    private volatile boolean underOrth;
    private volatile boolean acknowledged;
    private volatile Long lastSentNanos;

    /** What the last answer revoked, all of it dealt with. */
    private volatile List<Long> applied = List.of();

    /**
     * @param revoke drops or ends runs and messages; called once for each
     * @param endAll ends all that was accepted
     * @param returnUnstarted gives back messages that were not started
     * @param nanos the monotonic clock that the gate goes by as well
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

    /** An admin answered a beat that was sent at {@code sentNanos}. */
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

    /** No admin answered a beat. */
    void missed() {
        acknowledged = false;
        tell(!gate.isOpen());
    }

    /** An admin has heard that this executor leaves. */
    void left() {
        acknowledged = false;
    }

    /** Once each time. */
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

    /** The list of revocations is bounded, in length and in time; this holds for everything that was accepted before. */
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

    /** What the last answer revoked, to be acknowledged with the next beat. */
    public List<Long> appliedRevocations() {
        return applied;
    }

    /** The installation of the admins that answer. */
    public HomeInstallation home() {
        return home;
    }

    /** The admins' rule, by which beats are sent and work is started. */
    public HeartbeatRule rule() {
        return rule;
    }

    /** Whether an Orth admin has ever answered. */
    boolean underOrth() {
        return underOrth;
    }

    /** Whether the last beat was acknowledged and it has not left. */
    public boolean isRegistered() {
        return acknowledged;
    }

    /** How long ago the last acknowledged beat was sent; null if there was none. */
    public Duration sinceLastBeat() {
        Long sent = lastSentNanos;
        return sent == null ? null : Duration.ofNanos(nanos.getAsLong() - sent);
    }
}
