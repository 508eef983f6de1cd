package io.orth.admin.transition;

import io.orth.admin.kernel.SqlRows;
import io.orth.admin.transition.TransitionFeed.Place;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** SQL for batches of the journal, in the order of their positions. */
@Component
final class JournalRepository {

    /**
     * Assigns positions to visible batches that have none, earliest first, continuing from the last position. The row of
     * orth_journal_head stays locked until the commit, so positions become visible in order.
     *
     * <p>The journal is empty most of the time, and the planner's statistics may show it as empty when it is not. Reading all fresh rows
     * for each one then looks cheap. {@code batch = any(array[…])} equals {@code batch = …}, but can only be an index lookup.
     * {@code coalesce(j.position, 0) = 0} does not match the partial index of fresh rows. It is rechecked on rows that another
     * transaction changed.
     */
    private static final String GIVE_POSITIONS = """
            with head as (
                select position, total from orth_journal_head for update
            ), fresh as (
                select f.batch, row_number() over (order by f.batch) as place, sum(f.changes) over (order by f.batch) as total
                  from (select j.batch, j.changes
                          from orth_journal j
                         where j.position is null
                         order by j.batch
                         limit :limit) f
            ), given as (
                update orth_journal j
                   set position = head.position + fresh.place, total = head.total + fresh.total
                  from fresh, head
                 where j.batch = any(array[fresh.batch])
                   and coalesce(j.position, 0) = 0
                returning j.position, j.total
            )
            update orth_journal_head h
               set position = coalesce((select max(position) from given), h.position),
                   total = coalesce((select max(total) from given), h.total)
            returning h.position, (select count(*) from given) as given
            """;

    private static final String ANY_FRESH = "select exists(select from orth_journal where position is null)";

    private static final String HEAD = "select position from orth_journal_head";

    private static final String OLDEST =
            "select position from orth_journal where position is not null order by position limit 1";

    private static final String AFTER = """
            select batch, position, changes, written_at
              from orth_journal
             where position > :after
             order by position
             limit :limit
            """;

    /** Finds the batch in which the last {@code :most} transitions start, and the number of its transitions before them. */
    private static final String WHERE_LAST_BEGIN = """
            select position, changes_since - :most as before
              from (select position, sum(changes) over (order by position desc) as changes_since
                      from (select position, changes
                              from orth_journal
                             where position is not null
                             order by position desc
                             limit :most) newest) counted
             where changes_since >= :most
             order by position desc
             limit 1
            """;

    private static final String CHANGES_UP_TO = """
            select coalesce(sum(changes), 0) from orth_journal where position > :after and position <= :upTo
            """;

    /** Finds the last of the oldest batches that exceeds the age, or from which on there are too many transitions. */
    private static final String OUT_OF_BOUNDS = """
            select held.position
              from (select position, written_at, changes, total
                      from orth_journal
                     where position > :after
                     order by position
                     limit :limit) held,
                   orth_journal_head h
             where held.written_at < now() - make_interval(secs => :age)
                or h.total - held.total + held.changes > :most
             order by held.position desc
             limit 1
            """;

    private static final String PRUNE = """
            delete from orth_journal
             where batch = any(array(select batch
                                       from orth_journal
                                      where position <= :upTo
                                        and written_at < now() - make_interval(secs => :age)
                                      order by position
                                      limit :limit))
            """;

    private static final String OLDEST_AFTER = """
            select written_at from orth_journal where position > :after order by position limit 1
            """;

    private static final String OLDEST_FRESH = """
            select written_at from orth_journal where position is null order by batch limit 1
            """;

    /** Transitions written by one statement. */
    record Batch(long id, long position, int changes, Instant writtenAt) {}

    private final JdbcClient jdbc;

    JournalRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    boolean anyFresh() {
        return jdbc.sql(ANY_FRESH).query(Boolean.class).single();
    }

    /** Returns the number of batches that got a position. */
    int givePositions(int limit) {
        return jdbc.sql(GIVE_POSITIONS)
                .param("limit", limit)
                .query((row, n) -> row.getInt("given"))
                .single();
    }

    long head() {
        return jdbc.sql(HEAD).query(Long.class).single();
    }

    /** Returns the lowest position still stored. */
    Optional<Long> oldest() {
        return jdbc.sql(OLDEST).query(Long.class).optional();
    }

    List<Batch> after(long position, int limit) {
        return jdbc.sql(AFTER)
                .params(Map.of("after", position, "limit", limit))
                .query((row, n) -> new Batch(
                        row.getLong("batch"),
                        row.getLong("position"),
                        row.getInt("changes"),
                        SqlRows.instant(row, "written_at")))
                .list();
    }

    /** Returns the place before the last {@code most} transitions; empty if there are fewer. */
    Optional<Place> beforeLast(int most) {
        return jdbc.sql(WHERE_LAST_BEGIN)
                .param("most", most)
                .query((row, n) -> placeAfter(row.getLong("position"), row.getInt("before")))
                .optional();
    }

    private static Place placeAfter(long position, int changes) {
        return changes == 0 ? Place.after(position - 1) : new Place(position, changes - 1);
    }

    long changes(long after, long upTo) {
        return jdbc.sql(CHANGES_UP_TO)
                .params(Map.of("after", after, "upTo", upTo))
                .query(Long.class)
                .single();
    }

    /** Returns the last of {@code limit} positions after {@code after} that is too old or has too many transitions from it on. */
    Optional<Long> outOfBounds(long after, Duration age, long most, int limit) {
        return jdbc.sql(OUT_OF_BOUNDS)
                .params(Map.of("after", after, "age", age.toMillis() / 1000.0, "most", most, "limit", limit))
                .query(Long.class)
                .optional();
    }

    int prune(long upTo, Duration age, int limit) {
        return jdbc.sql(PRUNE)
                .params(Map.of("upTo", upTo, "age", age.toMillis() / 1000.0, "limit", limit))
                .update();
    }

    /** Returns the write time of the oldest batch after {@code position}. */
    Optional<Instant> oldestAfter(long position) {
        Optional<Instant> placed = jdbc.sql(OLDEST_AFTER)
                .param("after", position)
                .query((row, n) -> SqlRows.instant(row, "written_at"))
                .optional();
        return placed.isPresent() ? placed : oldestFresh();
    }

    /** Returns the write time of the oldest batch without a position. If it is old, the relay does not run or is too slow. */
    Optional<Instant> oldestFresh() {
        return jdbc.sql(OLDEST_FRESH)
                .query((row, n) -> SqlRows.instant(row, "written_at"))
                .optional();
    }
}
