package io.orth.executor.internal.liveness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.orth.executor.internal.job.StartGate;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Heartbeats with and without replies, by a clock that stands still until it is moved. */
@Tag("must-executor")
class RegistrationBeatTest {

    private static final Registration REGISTRATION =
            new Registration("tests", "http://localhost:9", new Registration.Instance("me", "here", 1, "0", true));
    private static final Outcome FOREIGN = new Outcome.Accepted();
    private static final Outcome AWAY = new Outcome.Unreachable("told to be away");

    private long now = -7;
    private Outcome answer = orth();
    private Duration answerTakes = Duration.ZERO;
    private boolean draining;
    private boolean drained;
    private boolean endingFails;

    private final AtomicInteger accepted = new AtomicInteger();
    private final List<String> posts = new ArrayList<>();
    private final List<Long> revoked = new ArrayList<>();
    private final List<Boolean> openAtRevocation = new ArrayList<>();
    private final List<Boolean> openAtEnd = new ArrayList<>();
    private final List<Boolean> openAtReturn = new ArrayList<>();
    private final StartGate gate = new StartGate(() -> now);
    private final AdminContact contact =
            new AdminContact(gate, this::revoke, this::endAll, () -> openAtReturn.add(gate.isOpen()), () -> now);
    private final RegistrationBeat beat = beatEvery(Duration.ofSeconds(5));

    /** Results may wait although no heartbeat failed: one failed callback is enough. */
    @Test
    void reportsEveryAcceptedHeartbeatOnly() throws Exception {
        beat.run();
        beat.run();
        assertThat(accepted).hasValue(2);

        answer = AWAY;
        beat.run();
        answer = new Outcome.Refused("told to refuse");
        beat.run();
        assertThat(accepted).hasValue(2);
    }

    @Test
    void sendsHeartbeatEveryFiveSecondsToOrthAdmin() throws Exception {
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(5));

        answer = AWAY;
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void registersEveryThirtySecondsUnderARealXxlJobAdmin() throws Exception {
        answer = FOREIGN;
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(30));

        answer = AWAY;
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void keepsIntervalShortEnoughForTheLease() throws Exception {
        assertThat(beatEvery(Duration.ofMinutes(1)).run()).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    @Tag("must-kernel")
    void followsTheHeartbeatRuleOfTheAdminThatAnswers() throws Exception {
        answer = orth(HeartbeatRule.of(Duration.ofSeconds(2)));
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(2));
        advance(Duration.ofSeconds(6).minusNanos(1));
        assertThat(gate.isOpen()).isTrue();
        advance(Duration.ofNanos(1));
        assertThat(gate.isOpen()).as("when the admin may declare it dead").isFalse();

        answer = AWAY;
        assertThat(beat.run()).as("no admin has said anything else").isEqualTo(Duration.ofSeconds(2));

        answer = orth(new HeartbeatRule(Duration.ofSeconds(5), Duration.ofSeconds(40)));
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(5));
        advance(Duration.ofSeconds(40).minusNanos(1));
        assertThat(gate.isOpen()).isTrue();
        advance(Duration.ofNanos(1));
        assertThat(gate.isOpen()).isFalse();
        assertThat(contact.rule().startLease()).isEqualTo(Duration.ofSeconds(40));
    }

    @Test
    @Tag("must-kernel")
    void ignoresReplyWithUnsafeHeartbeatRule() throws Exception {
        answer = new Outcome.Accepted(Json.readObject(
                "{\"code\":200,\"revoked\":[],\"heartbeatIntervalMillis\":5000,\"heartbeatTimeoutMillis\":9999}"
                        .getBytes(StandardCharsets.UTF_8)));
        beat.run();

        assertThat(contact.isRegistered()).isFalse();
        assertThat(contact.rule()).isEqualTo(HeartbeatRule.DEFAULT);
    }

    @Test
    void slowReplyDoesNotDelayNextHeartbeat() throws Exception {
        answerTakes = Duration.ofSeconds(2);
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(3));

        answerTakes = Duration.ofSeconds(12);
        assertThat(beat.run()).isEqualTo(Duration.ZERO);
    }

    @Test
    void closesGateFifteenSecondsAfterAcknowledgedHeartbeat() throws Exception {
        answerTakes = Duration.ofSeconds(4);
        beat.run();
        answer = AWAY;
        answerTakes = Duration.ZERO;

        advance(Duration.ofSeconds(11).minusNanos(1));
        beat.run();
        assertThat(gate.isOpen()).isTrue();

        advance(Duration.ofNanos(1));
        assertThat(gate.isOpen()).as("fifteen seconds after it was sent").isFalse();
        beat.run();
        assertThat(gate.isOpen()).isFalse();
        assertThat(contact.isRegistered()).isFalse();
        assertThat(contact.sinceLastBeat()).isEqualTo(Duration.ofSeconds(15));
    }

    @Test
    void reopensGateAfterRevocationsOfNextHeartbeat() throws Exception {
        beat.run();
        advance(Duration.ofSeconds(60));
        answer = orth(41L, 42L);

        beat.run();

        assertThat(revoked).containsExactly(41L, 42L);
        assertThat(openAtRevocation).as("the gate while runs are revoked").containsExactly(false);
        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    @Tag("must-first")
    void returnsUnstartedMessagesBeforeTheGateOpensAgain() throws Exception {
        beat.run();
        advance(HeartbeatRule.DEFAULT.startLease().minusNanos(1));
        beat.run();
        assertThat(openAtReturn).as("the lease had not ended").isEmpty();

        advance(HeartbeatRule.DEFAULT.startLease());
        beat.run();

        assertThat(openAtReturn).containsExactly(false);
        assertThat(gate.isOpen()).isTrue();
    }

    /** Whatever the reply lists as revoked: the list goes back for a day only. */
    @Test
    @Tag("must-first")
    void killsAllWorkBeforeReopeningWhenDeclaredDead() throws Exception {
        answer = incarnation(1);
        beat.run();
        beat.run();
        assertThat(openAtEnd).as("no reply before, then the same").isEmpty();
        advance(Duration.ofDays(2));

        answer = incarnation(3);
        beat.run();
        assertThat(openAtEnd).containsExactly(false);
        assertThat(gate.isOpen()).isTrue();

        beat.run();
        answer = orth();
        beat.run();
        answer = incarnation(3);
        beat.run();
        assertThat(openAtEnd).hasSize(1);
    }

    @Test
    @Tag("must-first")
    void retriesKillOfAllWorkWithNextReply() throws Exception {
        answer = incarnation(1);
        beat.run();
        answer = incarnation(3);
        endingFails = true;
        assertThatThrownBy(beat::run).hasMessage("cannot end");
        endingFails = false;

        beat.run();

        assertThat(openAtEnd).hasSize(1);
    }

    @Test
    @Tag("must-first")
    void acknowledgesRevocationsOfLastReply() throws Exception {
        answer = orth(41L, 42L);
        beat.run();
        assertThat(contact.appliedRevocations()).containsExactly(41L, 42L);

        answer = AWAY;
        beat.run();
        assertThat(contact.appliedRevocations()).as("no admin has heard of it").containsExactly(41L, 42L);

        answer = orth();
        beat.run();
        assertThat(contact.appliedRevocations()).isEmpty();
    }

    @Test
    void handlesEachRevocationOnce() throws Exception {
        answer = orth(41L);
        beat.run();
        answer = orth(41L, 42L, 42L);
        beat.run();
        beat.run();

        assertThat(revoked).containsExactly(41L, 42L);
    }

    @Test
    void staysShutWhenRevokingFails() throws Exception {
        beat.run();
        advance(Duration.ofSeconds(60));
        answer = orth(13L);

        assertThatThrownBy(beat::run).hasMessage("unlucky run");

        assertThat(gate.isOpen()).isFalse();
    }

    @Test
    void absentXxlJobAdminStopsNothing() throws Exception {
        answer = FOREIGN;
        beat.run();
        answer = AWAY;
        advance(Duration.ofHours(1));
        beat.run();

        assertThat(gate.isOpen()).isTrue();
    }

    @Test
    void onceUnderAnOrthAdminOnlyOrthAdminsCount() throws Exception {
        beat.run();
        answer = FOREIGN;
        advance(Duration.ofSeconds(15));

        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(5));
        assertThat(gate.isOpen()).isFalse();
    }

    @Test
    void ignoresUnreadableReply() throws Exception {
        answer = new Outcome.Accepted(
                Json.readObject("{\"code\":200,\"revoked\":\"all\"}".getBytes(StandardCharsets.UTF_8)));
        beat.run();

        assertThat(contact.isRegistered()).isFalse();
        assertThat(accepted).hasValue(0);
    }

    @Test
    void deregistersOnceDrainedAndStopsHeartbeats() throws Exception {
        draining = true;
        assertThat(beat.run()).isEqualTo(Duration.ofSeconds(1));

        assertThat(contact.isRegistered()).isTrue();

        drained = true;
        beat.run();
        beat.run();
        beat.leave();

        assertThat(contact.isRegistered()).isFalse();

        assertThat(posts).containsExactly(AdminPaths.REGISTRY, AdminPaths.REGISTRY_REMOVE);
    }

    @Test
    void repeatsDeregistrationUntilAcknowledged() throws Exception {
        drained = true;
        answer = AWAY;
        beat.run();
        answer = orth();
        beat.run();

        assertThat(posts).containsExactly(AdminPaths.REGISTRY_REMOVE, AdminPaths.REGISTRY, AdminPaths.REGISTRY_REMOVE);
    }

    private RegistrationBeat beatEvery(Duration interval) {
        RegistrationBeat.Surroundings told = new RegistrationBeat.Surroundings(
                () -> REGISTRATION, () -> draining, () -> drained, reply -> accepted.incrementAndGet());
        return new RegistrationBeat(this::post, contact, told, interval, () -> now);
    }

    private Outcome post(String path, byte[] body) {
        posts.add(path);
        advance(answerTakes);
        return answer;
    }

    private void revoke(List<Long> runs) {
        if (runs.contains(13L)) {
            throw new IllegalStateException("unlucky run");
        }
        openAtRevocation.add(gate.isOpen());
        revoked.addAll(runs);
    }

    private void endAll() {
        if (endingFails) {
            throw new IllegalStateException("cannot end");
        }
        openAtEnd.add(gate.isOpen());
    }

    private void advance(Duration step) {
        now += step.toNanos();
    }

    private static Outcome incarnation(long number) {
        return new Outcome.Accepted(
                Json.readObject(Json.write(RegistrationReply.ok(List.of()).of(number))));
    }

    private static Outcome orth(HeartbeatRule rule) {
        return new Outcome.Accepted(Json.readObject(Json.write(RegistrationReply.ok(List.of(), null, null, rule))));
    }

    private static Outcome orth(Long... revoked) {
        return new Outcome.Accepted(Json.readObject(Json.write(RegistrationReply.ok(List.of(revoked)))));
    }
}
