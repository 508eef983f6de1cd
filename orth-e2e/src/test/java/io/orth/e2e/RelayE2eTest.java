package io.orth.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.orth.admin.kernel.FaultPoints;
import io.orth.postgres.EmbeddedPostgres;
import io.orth.postgres.EmbeddedPostgresOptions;
import io.orth.protocol.Json;
import io.orth.protocol.StateTransition;
import io.orth.protocol.TransitionDeduplicator;
import io.orth.protocol.TransitionDeduplicator.Sighting;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever happens to the node that relays and to the database: every transition arrives at every sink, in order. */
@Tag("must-transitions")
class RelayE2eTest {

    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration TAKEOVER = Duration.ofSeconds(10);
    private static final int JOBS = Installation.full() ? 200 : 20;
    private static final Duration TROUBLE = Duration.ofSeconds(Installation.full() ? 60 : 12);

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    private final String java = Installation.javas().get(Installation.javas().size() - 1);
    private final Receiver receiver = new Receiver();

    @ParameterizedTest
    @ValueSource(strings = {FaultPoints.RELAY_BEFORE_EMIT, FaultPoints.RELAY_AFTER_EMIT})
    void relayKilledAroundAnEmissionLosesNothing(String faultPoint) {
        try (receiver;
                Cluster cluster = new Cluster(Database.of(db), directory, receiver.settings())) {
            AdminProgram doomed = cluster.addAdminToHaltAt(faultPoint, java).awaitReady();
            awaitHolderIs(cluster, doomed);
            AdminProgram survivor = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(survivor.api(), java);

            assertThat(doomed.program().exitCode(LIMIT)).isEqualTo(HaltAtFaultPoint.KILLED);
            Instant death = Instant.now();
            awaitHolderIs(cluster, survivor);
            assertThat(takenOverAt(cluster)).isBefore(death.plus(TAKEOVER));

            addJobs(cluster, survivor);
            endAndCheckAll(cluster);
        }
    }

    @Test
    void relayKilledDuringTakeoverLosesNothing() {
        try (receiver;
                Cluster cluster = new Cluster(Database.of(db), directory, receiver.settings())) {
            AdminProgram first = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(first.api(), java);
            addJobs(cluster, first);
            AdminProgram doomed = cluster.addAdminToHaltAt(FaultPoints.RELAY_AFTER_TAKEOVER, java)
                    .awaitReady();

            first.program().terminate();
            assertThat(doomed.program().exitCode(LIMIT)).isEqualTo(HaltAtFaultPoint.KILLED);
            first.program().exitCode(LIMIT);
            AdminProgram second = cluster.startAgain(first, java).awaitReady();

            awaitHolderIs(cluster, second);
            endAndCheckAll(cluster);
        }
    }

    @Test
    void relaySuspendedPastItsLeaseDoesNoHarm() throws Exception {
        try (receiver;
                Cluster cluster = new Cluster(Database.of(db), directory, receiver.settings())) {
            AdminProgram sleeper = cluster.addAdmin(java).awaitReady();
            awaitHolderIs(cluster, sleeper);
            AdminProgram other = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(other.api(), java);
            addJobs(cluster, other);

            sleeper.program().signal("STOP");
            Instant asleep = Instant.now();
            awaitHolderIs(cluster, other);
            assertThat(takenOverAt(cluster)).isBefore(asleep.plus(TAKEOVER));
            awaitMoreReceived();
            sleeper.program().signal("CONT");
            awaitMoreReceived();

            awaitHolderIs(cluster, other);
            endAndCheckAll(cluster);
        }
    }

    @Test
    void databaseRestartUnderLoadLosesNothing() {
        try (receiver;
                EmbeddedPostgres postgres =
                        EmbeddedPostgres.start(EmbeddedPostgresOptions.in(directory.resolve("postgres")));
                Cluster cluster = new Cluster(
                        new Database(postgres.jdbcUrl(), postgres.user(), postgres.password()),
                        directory,
                        receiver.settings())) {
            AdminProgram admin = cluster.addAdmin(java).awaitReady();
            cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(admin.api(), java);
            addJobs(cluster, admin);
            awaitMoreReceived();

            cluster.crashDatabase();
            awaitMoreReceived();

            endAndCheckAll(cluster);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failingSinkDelaysNeitherOtherSinksNorRuns(boolean hangs) {
        try (receiver;
                Cluster cluster = new Cluster(Database.of(db), directory, receiver.settings())) {
            AdminProgram admin = cluster.addAdmin(java).awaitReady();
            cluster.startExecutor(admin.api(), java);
            addJobs(cluster, admin);
            awaitMoreReceived();

            if (hangs) {
                receiver.hang();
            } else {
                receiver.fail(true);
            }
            Instant since = Instant.now();
            int received = receiver.received().size();
            await().atMost(LIMIT).until(() -> Instant.now().isAfter(since.plus(TROUBLE)));
            assertThat(receiver.received()).as("what the sink in trouble got").hasSizeLessThan(received + JOBS * 6);
            assertThat(filed(admin).stream()
                            .filter(t -> t.to().equals("SUCCESS") && t.at().isAfter(since))
                            .count())
                    .as("runs that ended meanwhile, told to the other sink")
                    .isGreaterThan(JOBS * (TROUBLE.toSeconds() - 6));
            assertThat(admin.api().list("/api/transitions/sinks").stream()
                            .filter(sink -> sink.text("name").equals("webhook-e2e"))
                            .findFirst()
                            .orElseThrow()
                            .number("lagMillis", 0))
                    .isGreaterThan(TROUBLE.minusSeconds(8).toMillis());

            if (hangs) {
                receiver.goOn();
            } else {
                receiver.fail(false);
            }
            endAndCheckAll(cluster);
        }
    }

    private static void addJobs(Cluster cluster, AdminProgram admin) {
        Api api = admin.api();
        for (int i = 0; i < JOBS; i++) {
            cluster.addJobEverySecond(api, "job-" + i);
        }
    }

    /** Stops the jobs, waits until both sinks have everything, and looks at the order in which they got it. */
    private void endAndCheckAll(Cluster cluster) {
        await().atMost(LIMIT).until(() -> cluster.witnessed().size() >= JOBS * 3);
        await().atMost(LIMIT).ignoreExceptions().until(() -> cluster.stopAllJobs() == JOBS);
        cluster.awaitAllRunsEnded(LIMIT);
        Set<String> written = new TreeSet<>(cluster.sql()
                .sql("select entity || ' ' || entity_id || ' ' || seq from orth_transition")
                .query(String.class)
                .list());
        assertThat(written).hasSizeGreaterThan(JOBS * 9);
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(keys(receiver.received().stream()))
                        .as("told to the webhook")
                        .containsAll(written));
        await().atMost(LIMIT)
                .untilAsserted(() -> assertThat(keys(files().stream().flatMap(file -> read(file).stream())))
                        .as("told to the files")
                        .containsAll(written));
        assertInOrder("webhook", receiver.received(), true);
        files().forEach(file -> assertInOrder(file.toString(), read(file), false));
    }

    /** @param whole whether it received every transition, so that gaps are errors */
    private static void assertInOrder(String sink, List<StateTransition> told, boolean whole) {
        TransitionDeduplicator deduplicator = new TransitionDeduplicator(1_000_000);
        List<StateTransition> kept = told.stream()
                .filter(transition -> {
                    Sighting sighting = deduplicator.look(transition);
                    assertThat(whole && sighting == Sighting.AFTER_GAP)
                            .as("%s was told %s after a gap", sink, transition)
                            .isFalse();
                    return sighting != Sighting.REPEATED;
                })
                .toList();
        assertThat(keys(kept.stream()))
                .as("%s: what is left without repetitions, each kept once", sink)
                .isEqualTo(keys(told.stream()));
    }

    private static Set<String> keys(Stream<StateTransition> transitions) {
        return transitions
                .map(t -> t.entity() + " " + t.entityId() + " " + t.sequence())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Something that was written from now on, as it reaches the webhook. */
    private void awaitMoreReceived() {
        int before = receiver.received().size();
        await().atMost(LIMIT).until(() -> receiver.received().size() > before + JOBS * 3);
    }

    private static void awaitHolderIs(Cluster cluster, AdminProgram admin) {
        String process = ":%d:".formatted(admin.program().pid());
        await().atMost(LIMIT)
                .until(() -> cluster.sql()
                        .sql("select holder from orth_lease where duty = 'transition-relay' and expires_at > now()")
                        .query(String.class)
                        .optional()
                        .filter(holder -> holder.contains(process))
                        .isPresent());
    }

    private static Instant takenOverAt(Cluster cluster) {
        return cluster.sql()
                .sql("select acquired_at from orth_lease where duty = 'transition-relay'")
                .query(java.sql.Timestamp.class)
                .single()
                .toInstant();
    }

    private List<Path> files() {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(file -> file.getFileName().toString().startsWith("transitions.jsonl"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<StateTransition> filed(AdminProgram admin) {
        return read(admin.directory().resolve("transitions/transitions.jsonl"));
    }

    /** A line that was being written when its process was killed is no line. */
    private static List<StateTransition> read(Path file) {
        List<StateTransition> transitions = new ArrayList<>();
        try {
            String text = Files.readString(file);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            for (String line : whole.lines().toList()) {
                if (line.endsWith("}") && !line.isEmpty()) {
                    transitions.add(StateTransition.from(Json.readObject(line.getBytes(StandardCharsets.UTF_8))));
                }
            }
            return transitions;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
