package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.ManualClock;
import io.orth.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Lines during database outages, on nodes that die and on several nodes. */
class SystemLogDbTest {

    @RegisterExtension
    final TestDatabase db = new TestDatabase();

    @TempDir
    Path directory;

    private final ManualClock clock = ManualClock.at("2026-11-16T12:00:00Z");
    private FlakyDatabase database;
    private SystemLogArchive archive;
    private JdbcClient jdbc;
    private LogNode node;

    @BeforeEach
    void setUp() {
        jdbc = JdbcClient.create(db.dataSource());
        database = new FlakyDatabase(db.dataSource());
        archive = FlakyDatabase.archiveOn(database);
        node = node("node-a");
    }

    private LogNode node(String id) {
        return new LogNode(id, archive, directory.resolve("spill"), clock);
    }

    private void publish(LogNode at, int from, int to) {
        IntStream.rangeClosed(from, to).forEach(n -> {
            clock.advance(Duration.ofMillis(1));
            at.log.info("line " + n);
        });
    }

    private static List<String> lines(int from, int to) {
        return IntStream.rangeClosed(from, to).mapToObj(n -> "line " + n).toList();
    }

    /** The archived lines of the test itself, by time. */
    private List<String> archived() {
        return jdbc.sql("select message from orth_system_log where message like 'line %' order by at, id")
                .query(String.class)
                .list();
    }

    private List<String> said() {
        return jdbc.sql(
                        "select level || ' ' || message from orth_system_log where message not like 'line %' order by at, id")
                .query(String.class)
                .list();
    }

    @Test
    @Tag("must-queues")
    void showsLineImmediatelyAndArchivesAllFields() throws IOException {
        node.log.publish(LogLevel.ERROR, "it broke", "executor-7", "mails");
        assertThat(node.shown()).containsExactly("it broke");

        node.archive();

        LogLine line = archive.search(all(10)).lines().get(0);
        assertThat(line)
                .isEqualTo(new LogLine(
                        "node-a",
                        1,
                        Instant.parse("2026-11-16T12:00:00Z"),
                        LogLevel.ERROR,
                        "it broke",
                        "executor-7",
                        "mails"));
        assertThat(node.counted("published")).isEqualTo(1);
        assertThat(node.counted("archived")).isEqualTo(1);
        assertThat(node.waiting()).isZero();
    }

    private static LogFilter all(int limit) {
        return new LogFilter(null, null, null, null, null, null, null, limit);
    }

    @Test
    @Tag("must-queues")
    void archivesEachLineOnceAfterDatabaseOutage() throws IOException {
        publish(node, 1, 100);
        node.archive();
        database.goAway();
        for (int second = 0; second < 60; second++) {
            publish(node, 101 + second * 50, 150 + second * 50);
            node.archive();
            clock.advance(Duration.ofMillis(950));
        }
        assertThat(archived()).hasSize(100);
        assertThat(node.backlog.size()).isZero();
        assertThat(node.waiting()).isEqualTo(3_001);

        database.comeBack();
        publish(node, 3_101, 3_110);
        clock.advance(Duration.ofSeconds(1));
        node.archive();
        node.archive();

        assertThat(archived()).isEqualTo(lines(1, 3_110));
        assertThat(said())
                .containsExactly(
                        "WARN the system log cannot be archived now and is kept on disk: the database is away",
                        "INFO the system log is archived again");
        assertThat(node.counted("spilled")).isEqualTo(3_001);
        assertThat(node.counted("dropped")).isZero();
        assertThat(node.waiting()).isZero();
    }

    @Test
    @Tag("must-queues")
    void nextNodeArchivesSpillOfDeadNodeOnce() throws IOException {
        database.goAway();
        publish(node, 1, 1_200);
        node.archive();
        database.comeBack();
        clock.advance(Duration.ofSeconds(2));
        node.archiver.run();
        assertThat(archived()).hasSize(500);
        die(node);

        LogNode next = node("node-b");
        publish(next, 1_201, 1_203);
        next.archive();

        assertThat(archived()).isEqualTo(lines(1, 1_203));
        assertThat(next.counted("dropped")).isZero();
        assertThat(directory.resolve("spill")).isEmptyDirectory();
    }

    /** As by kill -9: the file stays as it is and is no longer locked. */
    private void die(LogNode dying) throws IOException {
        Path file = directory.resolve("spill/node-a.jsonl");
        byte[] left = Files.readAllBytes(file);
        try {
            dying.archiver.close();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        Files.write(file, left);
    }

    @Test
    void nextNodeArchivesLinesPublishedDuringStop() throws Exception {
        publish(node, 1, 3);
        node.archiver.ended();
        publish(node, 4, 5);
        node.archiver.close();
        assertThat(archived()).isEqualTo(lines(1, 3));

        LogNode next = node("node-b");
        next.archive();

        assertThat(archived()).isEqualTo(lines(1, 5));
    }

    @Test
    void keepsLinesOnDiskIfStoppedDuringOutage() throws Exception {
        database.goAway();
        publish(node, 1, 1_300);
        node.archiver.ended();
        node.archiver.close();
        database.comeBack();

        LogNode next = node("node-b");
        next.archive();

        assertThat(archived()).isEqualTo(lines(1, 1_300));
    }

    @Test
    @Tag("must-queues")
    void dropsCountsAndReportsLinesBeyondCapacity() throws IOException {
        node = new LogNode("node-a", archive, directory.resolve("small"), 10_000, clock);
        database.goAway();
        publish(node, 1, 20_000);
        node.archive();
        publish(node, 20_001, 30_000);
        double dropped = node.counted("dropped");
        double waiting = node.waiting();

        assertThat(waiting).isBetween((double) Backlog.MOST, Backlog.MOST + 200.0);
        assertThat(Files.size(directory.resolve("small/node-a.jsonl"))).isLessThanOrEqualTo(10_000);
        assertThat(dropped + waiting).isEqualTo(30_001);
        database.comeBack();
        clock.advance(Duration.ofSeconds(2));
        node.archive();
        node.archive();

        assertThat(archived()).hasSize((int) waiting - 1);
        assertThat(said())
                .contains(
                        "WARN %d lines of the system log were lost: there was no room for them, or they could not be stored"
                                .formatted((int) dropped));
    }

    @Test
    void keepsLinesInMemoryIfSpillIsNotWritable() throws IOException {
        Files.writeString(directory.resolve("file"), "in the way");
        node = new LogNode("node-a", archive, directory.resolve("file/below"), LogNode.ROOM, clock);
        database.goAway();
        publish(node, 1, 700);
        node.archive();
        database.comeBack();
        clock.advance(Duration.ofSeconds(2));
        node.archive();
        node.archive();

        assertThat(archived()).isEqualTo(lines(1, 700));
    }

    @Test
    @Tag("must-queues")
    void showsLinesOfOtherNodesOnceByTime() throws IOException {
        LogNode other = node("node-b");
        for (int round = 0; round < 10; round++) {
            publish(node, round * 2 + 1, round * 2 + 1);
            publish(other, round * 2 + 2, round * 2 + 2);
            node.archive();
            other.archive();
            node.tail.run();
            other.tail.run();
            node.tail.run();
        }

        assertThat(node.shown()).isEqualTo(newestFirst(1, 20));
        assertThat(other.shown()).isEqualTo(newestFirst(1, 20));
        assertThat(node.live.begin().upTo()).isEqualTo(20);
    }

    private static List<String> newestFirst(int from, int to) {
        return IntStream.rangeClosed(from, to)
                .mapToObj(n -> "line " + (from + to - n))
                .toList();
    }

    @Test
    @Tag("must-queues")
    void showsLineCommittedAfterLaterOnes() throws Exception {
        node.tail.run();
        try (Connection slow = db.dataSource().getConnection()) {
            slow.setAutoCommit(false);
            try (PreparedStatement insert = slow.prepareStatement(
                    "insert into orth_system_log (at, level, message, node_id, number) values (now(), 'INFO', 'late', 'c', 1)")) {
                insert.executeUpdate();
            }
            LogNode other = node("node-b");
            publish(other, 1, 3);
            other.archive();
            node.tail.run();
            assertThat(node.shown()).isEqualTo(newestFirst(1, 3));
            clock.advance(Duration.ofSeconds(55));
            node.tail.run();
            slow.commit();
            slow.setAutoCommit(true);
        }
        clock.advance(Duration.ofSeconds(4));
        node.tail.run();

        assertThat(node.shown()).hasSize(4).contains("late");
    }

    @Test
    void tailReadsEachSettledLineOnce() throws IOException {
        CountingArchive counting = new CountingArchive(archive);
        LogTail tail = new LogTail(counting, node.live, clock.ticker()::getAsLong);
        publish(node, 1, 50);
        node.archive();
        tail.run();
        assertThat(counting.read).isEqualTo(50);
        for (int minute = 0; minute < 3; minute++) {
            clock.advance(Duration.ofSeconds(61));
            tail.run();
        }
        counting.read = 0;

        tail.run();

        assertThat(counting.read).isZero();
    }

    /** Counts the lines that the tail reads. */
    private static final class CountingArchive implements SystemLogArchive {

        private final SystemLogArchive real;
        private int read;

        CountingArchive(SystemLogArchive real) {
            this.real = real;
        }

        @Override
        public int append(List<LogLine> lines) {
            return real.append(lines);
        }

        @Override
        public Found search(LogFilter filter) {
            return real.search(filter);
        }

        @Override
        public List<Archived> archivedAfter(long place, int most) {
            List<Archived> found = real.archivedAfter(place, most);
            read += found.size();
            return found;
        }

        @Override
        public int cleanup(Instant olderThan, int limit) {
            return real.cleanup(olderThan, limit);
        }
    }

    @Test
    void startingNodeShowsEarlierLines() throws IOException {
        publish(node, 1, 250);
        node.archive();

        LogNode next = node("node-b");
        next.tail.run();

        assertThat(next.shown()).isEqualTo(newestFirst(151, 250));
    }

    @Test
    void dropsOnlyLineThatDatabaseRejects() throws IOException {
        jdbc.sql("alter table orth_system_log add check (message <> 'line 13')").update();
        publish(node, 1, 40);

        node.archive();
        node.archive();

        assertThat(archived()).hasSize(39).doesNotContain("line 13");
        assertThat(node.counted("dropped")).isEqualTo(1);
        assertThat(said())
                .containsExactly(
                        "WARN 1 lines of the system log were lost: there was no room for them, or they could not be stored");
    }

    @Test
    @Tag("must-queues")
    void cleanupDeletesOnlyOldestLines() throws IOException {
        publish(node, 1, 30);
        Instant keptFrom = clock.instant().plusMillis(1);
        publish(node, 31, 40);
        node.archive();

        assertThat(archive.cleanup(keptFrom, 20)).isEqualTo(20);
        assertThat(archived()).isEqualTo(lines(21, 40));
        assertThat(archive.cleanup(keptFrom, 20)).isEqualTo(10);
        assertThat(archive.cleanup(keptFrom, 20)).isZero();

        assertThat(archived()).isEqualTo(lines(31, 40));
    }

    @Test
    void publishingNeverThrows() {
        node.log.publish(null, null, null, null);

        assertThat(node.live.newest()).singleElement().satisfies(line -> {
            assertThat(line.level()).isEqualTo(LogLevel.INFO);
            assertThat(line.message()).isEmpty();
        });
    }
}
