package io.orth.admin.deadletter;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.Transactions;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** List of all dead letters in the order of their numbers. */
@Component
public final class DeadLetterList {

    private static final int SECONDS = 10;

    /** Maximum number of dead letters read to count those without a stored sum. */
    private static final long MOST_COUNTED = 5_000_000;

    /** Numbers are not strictly ordered by time: a dead letter may commit a moment after one with a higher number. */
    private static final Duration SLACK = Duration.ofMinutes(5);

    private static final String COLUMNS = """
            no, kind, id, (select q.name from orth_queue q where q.id = d.queue_id) as queue, job_id, job_name, handler, cause, fingerprint,
            attempt, max_attempts, status_at, pushed_at, trace_id, size
            """;

    private static final String BRIEF =
            COLUMNS + ", left(error, 500) as error, null as stack, left(payload, 500) as payload, null as failures";

    private static final String WHOLE = "select " + COLUMNS + """
                   , error, stack, payload, failures
              from orth_dead_letter d
             where no = any(:numbers)
             order by no desc
            """;

    private static final String SIZES = """
            select no, octet_length(payload)::bigint + coalesce(octet_length(stack), 0) + octet_length(failures::text) as bytes
              from orth_dead_letter
             where no = any(:numbers)
            """;

    private static final String REFS = "no, id, kind, coalesce(queue_id, job_id) as owner";

    private static final String BY_NUMBER = "select " + REFS + """
              from orth_dead_letter
             where no = any(:numbers)
               and no > :above
               and no < :below
             order by no
             limit :limit
            """;

    private static final String LAST_BEFORE =
            "select no from orth_dead_letter where status_at < :at order by status_at desc limit 1";

    private static final String FIRST_SINCE =
            "select no from orth_dead_letter where status_at >= :at order by status_at limit 1";

    private static final String OLD = "select status_at, " + REFS + """
              from orth_dead_letter
             where status_at < now() - make_interval(secs => :age)
               and (status_at, no) > (:at, :no)
             order by status_at, no
             limit :limit
            """;

    /** An expired dead letter and the time of its dead-lettering. */
    record Old(DeadRef letter, Instant at) {

        /** Sorts before all others. */
        static final Old NONE = new Old(new DeadRef(0, 0, DeadKind.MESSAGE, 0), Instant.EPOCH);
    }

    /**
     * A page of the list.
     *
     * @param next cursor of the next page; null at the end. If the scan limit was reached, it may be set although the page has fewer dead
     *     letters than requested, or none
     */
    public record Found(List<DeadLetter> letters, Long next) {

        public Found {
            letters = List.copyOf(letters);
        }
    }

    /** The next dead letters of a bulk operation. {@code place} is the last number scanned; {@code end} is true if nothing follows it. */
    record Part(List<DeadRef> letters, long place, boolean end) {}

    private record Counted(long fitting, long looked, long last) {}

    private final JdbcClient jdbc;
    private final Transactions transactions;
    private final DeadLetterGroups groups;

    DeadLetterList(JdbcClient jdbc, Transactions transactions, DeadLetterGroups groups) {
        this.jdbc = jdbc;
        this.transactions = transactions;
        this.groups = groups;
    }

    /** Returns dead letters with numbers below {@code before}, latest first, with truncated texts and without stacks and failures. */
    public Found page(DeadLetterFilter filter, OptionalLong before, int limit) {
        if (filter.contradictsItself()) {
            return new Found(List.of(), null);
        }
        return asItComes(() -> {
            LookThrough look = new LookThrough(
                    filter,
                    lowerEnd(filter.from()),
                    Math.min(before.orElse(Long.MAX_VALUE), upperEnd(filter.to())),
                    false);
            List<DeadLetter> found = query(look, look.matches(BRIEF, limit + 1))
                    .query((row, n) -> read(row))
                    .list();
            if (found.size() > limit) {
                return new Found(found.subList(0, limit), found.get(limit - 1).no());
            }
            return new Found(found, look.isBounded() ? edge(look).orElse(null) : null);
        });
    }

    /** Returns these dead letters with their full content, latest first. */
    public List<DeadLetter> whole(Collection<Long> numbers) {
        return jdbc.sql(WHOLE)
                .param("numbers", SqlArrays.bigints(numbers, no -> no))
                .query((row, n) -> read(row))
                .list();
    }

    /** Returns the number of matches; empty if counting would read too many dead letters. */
    OptionalLong count(DeadLetterFilter filter) {
        if (filter.contradictsItself()) {
            return OptionalLong.of(0);
        }
        if (filter.isOfWholeGroups()) {
            return OptionalLong.of(groups.count(filter));
        }
        long place = lowerEnd(filter.from());
        long below = upperEnd(filter.to());
        long fitting = 0;
        for (long looked = 0; looked < MOST_COUNTED; looked += LookThrough.ROWS) {
            Counted part = counted(new LookThrough(filter, place, below, true));
            fitting += part.fitting();
            if (part.looked() < LookThrough.ROWS) {
                return OptionalLong.of(fitting);
            }
            place = part.last();
        }
        return OptionalLong.empty();
    }

    private Counted counted(LookThrough look) {
        return asItComes(() -> query(look, look.counts())
                .query((row, n) -> new Counted(row.getLong("fitting"), row.getLong("looked"), row.getLong("last")))
                .single());
    }

    /** Returns the highest number; 0 if there are no dead letters. */
    long last() {
        return jdbc.sql("select coalesce(max(no), 0) from orth_dead_letter")
                .query(Long.class)
                .single();
    }

    /** Returns matches with numbers above {@code place} and up to {@code last}, oldest first. */
    Part next(DeadLetterFilter filter, long place, long last, int limit) {
        if (filter.contradictsItself()) {
            return new Part(List.of(), place, true);
        }
        return asItComes(() -> {
            LookThrough look = new LookThrough(
                    filter, Math.max(place, lowerEnd(filter.from())), Math.min(last + 1, upperEnd(filter.to())), true);
            List<DeadRef> found = query(look, look.matches(REFS, limit))
                    .query((row, n) -> ref(row))
                    .list();
            if (found.size() == limit) {
                return new Part(found, found.get(limit - 1).no(), false);
            }
            return (look.isBounded() ? edge(look) : Optional.<Long>empty())
                    .map(edge -> new Part(found, edge, false))
                    .orElseGet(() -> new Part(found, last, true));
        });
    }

    /** Returns the dead letters with the given numbers that are above {@code place} and up to {@code last}, oldest first. */
    Part next(Collection<Long> numbers, long place, long last, int limit) {
        List<DeadRef> found = jdbc.sql(BY_NUMBER)
                .param("numbers", SqlArrays.bigints(numbers, no -> no))
                .param("above", place)
                .param("below", last + 1)
                .param("limit", limit)
                .query((row, n) -> ref(row))
                .list();
        return found.size() == limit ? new Part(found, found.get(limit - 1).no(), false) : new Part(found, last, true);
    }

    /** Returns dead letters older than {@code age} that follow {@code after}, oldest first. */
    List<Old> old(Duration age, Old after, int limit) {
        return jdbc.sql(OLD)
                .param("age", age.toMillis() / 1000.0)
                .param("at", SqlRows.timestamp(after.at()))
                .param("no", after.letter().no())
                .param("limit", limit)
                .query((row, n) -> new Old(ref(row), SqlRows.instant(row, "status_at")))
                .list();
    }

    /** Returns the size in bytes of each dead letter with its full content, by number. */
    public Map<Long, Long> sizes(Collection<Long> numbers) {
        Map<Long, Long> sizes = new HashMap<>();
        jdbc.sql(SIZES).param("numbers", SqlArrays.bigints(numbers, no -> no)).query(row -> {
            sizes.put(row.getLong("no"), row.getLong("bytes"));
        });
        return sizes;
    }

    private Optional<Long> edge(LookThrough look) {
        return query(look, look.edge()).query(Long.class).optional();
    }

    private JdbcClient.StatementSpec query(LookThrough look, String statement) {
        return jdbc.sql(statement).withQueryTimeout(SECONDS).params(look.params());
    }

    /** Returns a number below those of all dead letters since {@code from}. */
    private long lowerEnd(Instant from) {
        return from == null ? 0 : number(LAST_BEFORE, from.minus(SLACK), 0);
    }

    /** Returns a number above those of all dead letters before {@code to}. */
    private long upperEnd(Instant to) {
        return to == null ? Long.MAX_VALUE : number(FIRST_SINCE, to.plus(SLACK), Long.MAX_VALUE);
    }

    private long number(String statement, Instant at, long otherwise) {
        return jdbc.sql(statement)
                .param("at", SqlRows.timestamp(at))
                .query(Long.class)
                .optional()
                .orElse(otherwise);
    }

    private <T> T asItComes(Supplier<T> query) {
        return transactions.call(() -> {
            jdbc.sql(LookThrough.AS_IT_COMES).update();
            T answer = query.get();
            jdbc.sql(LookThrough.AS_BEFORE).update();
            return answer;
        });
    }

    private static DeadRef ref(ResultSet row) throws SQLException {
        return new DeadRef(
                row.getLong("no"), row.getLong("id"), DeadKind.valueOf(row.getString("kind")), row.getInt("owner"));
    }

    private static DeadLetter read(ResultSet row) throws SQLException {
        return new DeadLetter(
                row.getLong("no"),
                DeadKind.valueOf(row.getString("kind")),
                row.getLong("id"),
                row.getString("queue"),
                new DeadLetter.OfJob(
                        SqlRows.intOrNull(row, "job_id"), row.getString("job_name"), row.getString("handler")),
                new DeadLetter.Death(
                        row.getString("cause"),
                        row.getString("error"),
                        row.getString("stack"),
                        row.getString("fingerprint")),
                row.getInt("attempt"),
                row.getInt("max_attempts"),
                SqlRows.instant(row, "status_at"),
                SqlRows.instant(row, "pushed_at"),
                row.getString("trace_id"),
                row.getString("payload"),
                row.getInt("size"),
                row.getString("failures"));
    }
}
