package io.orth.admin.systemlog;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.testkit.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Searching the archive: filters, texts with SQL syntax, paging, and the number of lines that one search reads. */
class SystemLogSearchDbTest {

    private static final Instant START = Instant.parse("2026-11-16T12:00:00Z");

    @RegisterExtension
    static final TestDatabase db = new TestDatabase();

    private SystemLogArchive archive;
    private JdbcClient jdbc;
    private int number;

    @BeforeEach
    void setUp() {
        jdbc = JdbcClient.create(db.dataSource());
        jdbc.sql("truncate orth_system_log").update();
        archive = FlakyDatabase.archiveOn(db.dataSource());
    }

    private void add(LogLevel level, String message, String worker, String queue) {
        number++;
        archive.append(List.of(new LogLine("node", number, START.plusSeconds(number), level, message, worker, queue)));
    }

    private static LogFilter byMessage(String message) {
        return new LogFilter(null, null, null, message, null, null, null, 50);
    }

    private List<String> found(LogFilter filter) {
        return archive.search(filter).lines().stream().map(LogLine::message).toList();
    }

    @Test
    @Tag("must-queues")
    void appliesEachFilterAloneAndCombined() {
        add(LogLevel.INFO, "one", "w1", "mails");
        add(LogLevel.WARN, "two", "w1", null);
        add(LogLevel.ERROR, "three", "w2", "mails");
        add(LogLevel.ERROR, "Three again", "w1", "mails");

        assertThat(found(new LogFilter(null, null, null, null, null, null, null, 50)))
                .containsExactly("Three again", "three", "two", "one");
        assertThat(found(new LogFilter(LogLevel.ERROR, null, null, null, null, null, null, 50)))
                .containsExactly("Three again", "three");
        assertThat(found(new LogFilter(null, "w1", null, null, null, null, null, 50)))
                .containsExactly("Three again", "two", "one");
        assertThat(found(new LogFilter(null, null, "mails", null, null, null, null, 50)))
                .containsExactly("Three again", "three", "one");
        assertThat(found(byMessage("THREE"))).containsExactly("Three again", "three");
        assertThat(found(new LogFilter(null, null, null, null, START.plusSeconds(2), START.plusSeconds(4), null, 50)))
                .containsExactly("three", "two");
        assertThat(found(new LogFilter(LogLevel.ERROR, "w1", "mails", "again", START, START.plusSeconds(60), null, 50)))
                .containsExactly("Three again");
    }

    @ParameterizedTest
    @Tag("must-queues")
    @ValueSource(
            strings = {"%", "_", "\\", "\\%", "100%_\\", "'; drop table orth_system_log; --", "a\u0001b", ":id", "?"})
    void matchesSqlSyntaxLiterally(String text) {
        add(LogLevel.INFO, "nothing of it", null, null);
        jdbc.sql("insert into orth_system_log (at, level, message, node_id, number) values (now(), 'INFO', :m, 'n', 1)")
                .param("m", "before " + text + " after")
                .update();

        assertThat(archive.search(byMessage(text)).lines()).hasSize(1);
        assertThat(archive.search(new LogFilter(null, text, text, text, null, null, null, 50))
                        .lines())
                .isEmpty();
    }

    @Test
    @Tag("must-queues")
    void pagesHaveNoGapOrDuplicate() {
        IntStream.rangeClosed(1, 23).forEach(n -> add(LogLevel.INFO, "line " + n, n % 2 == 0 ? "even" : null, null));
        archive.append(List.of(new LogLine("other", 1, START.plusSeconds(12), LogLevel.INFO, "same time", null, null)));

        assertThat(pages(new LogFilter(null, null, null, null, null, null, null, 5)))
                .hasSize(24);
        assertThat(pages(new LogFilter(null, "even", null, null, null, null, null, 5)))
                .hasSize(11);
        assertThat(pages(new LogFilter(null, null, null, "line 1", null, null, null, 3)))
                .hasSize(11);
    }

    /** Reads all pages; checks that they are in order and have no duplicate line. */
    private List<LogLine> pages(LogFilter filter) {
        List<LogLine> all = new ArrayList<>();
        Long after = null;
        do {
            SystemLogArchive.Found page = archive.search(new LogFilter(
                    filter.level(),
                    filter.workerId(),
                    filter.queue(),
                    filter.message(),
                    filter.from(),
                    filter.to(),
                    after,
                    filter.limit()));
            assertThat(page.lines()).hasSizeLessThanOrEqualTo(filter.limit());
            all.addAll(page.lines());
            after = page.next();
        } while (after != null);
        assertThat(all).isSortedAccordingTo((a, b) -> b.at().compareTo(a.at()));
        assertThat(all.stream().map(LogLine::key).collect(Collectors.toSet())).hasSameSizeAs(all);
        return all;
    }

    @Test
    void returnsEmptyPageAfterCursorWasDeleted() {
        IntStream.rangeClosed(1, 10).forEach(n -> add(LogLevel.INFO, "line " + n, null, null));
        Long next = archive.search(new LogFilter(null, null, null, null, null, null, null, 5))
                .next();
        archive.cleanup(START.plusSeconds(8), 100);

        assertThat(archive.search(new LogFilter(null, null, null, null, null, null, next, 5)))
                .isEqualTo(new SystemLogArchive.Found(List.of(), null));
    }

    @Test
    @Tag("must-queues")
    void findsRareLineInBoundedSteps() {
        jdbc.sql("""
                        insert into orth_system_log (at, level, message, node_id, number)
                        select :start::timestamptz + n * interval '1 second', 'INFO',
                               case when n = 7 then 'the needle' else 'hay ' || n end, 'bulk', n
                          from generate_series(1, :many) n
                        """)
                .param("start", START.toString())
                .param("many", 2 * SearchSql.LOOKED_THROUGH + 100)
                .update();

        SystemLogArchive.Found first = archive.search(byMessage("needle"));
        assertThat(first.lines()).isEmpty();
        assertThat(first.next()).isNotNull();
        List<LogLine> all = pages(byMessage("needle"));

        assertThat(all).extracting(LogLine::message).containsExactly("the needle");
    }
}
