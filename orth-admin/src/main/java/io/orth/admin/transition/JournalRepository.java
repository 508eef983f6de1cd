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

/** SQL of what is to be relayed: batches in the order of their positions. */
@Component
final class JournalRepository {

    /**
     * The earliest of what is visible and has no position goes on from the last one given. The row that keeps that one is held
     * until the commit, so positions become visible in their order.
     *
     * <p>The journal is empty most of the time, and the planner takes it for empty when it is not: then reading all that is fresh
     * for each of it looks cheap. {@code batch = any(array[…])} says the same as {@code batch = …} but can only be looked up, and a
     * {@code coalesce} is not what the index of fresh ones is about. It is asked again of a row that another has changed meanwhile.
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

    /** The batch that the last so many changes begin in, and how many of its own come before them. */
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

    /** The last of the oldest ones that is over the age or has too many changes from it on. */
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

    /** What was written at once. */
    record Batch(long id, long position, int changes, Instant writtenAt) {}

    private final JdbcClient jdbc;

    JournalRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    boolean anyFresh() {
        return jdbc.sql(ANY_FRESH).query(Boolean.class).single();
    }

    /** Returns how many batches got a position. */
    int givePositions(int limit) {
        return jdbc.sql(GIVE_POSITIONS)
                .param("limit", limit)
                .query((row, n) -> row.getInt("given"))
                .single();
    }

    long head() {
        return jdbc.sql(HEAD).query(Long.class).single();
    }

    /** The first position that is still there. */
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

    /** The place that the last {@code most} changes come after; empty where there are fewer. */
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

    /** The last of {@code limit} positions after {@code after} that is too old or has too many changes from it on. */
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

    /** When the oldest of what comes after {@code position} was written. */
    Optional<Instant> oldestAfter(long position) {
        Optional<Instant> placed = jdbc.sql(OLDEST_AFTER)
                .param("after", position)
                .query((row, n) -> SqlRows.instant(row, "written_at"))
                .optional();
        return placed.isPresent() ? placed : oldestFresh();
    }

    /** When the oldest batch without a position was written: the relay does not run, or not fast enough. */
    Optional<Instant> oldestFresh() {
        return jdbc.sql(OLDEST_FRESH)
                .query((row, n) -> SqlRows.instant(row, "written_at"))
                .optional();
    }
}
