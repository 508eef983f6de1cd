package io.orth.admin.deadletter;

import io.orth.admin.deadletter.Operation.Action;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** All statements about dead letters and bulk operations, for tests of their plans. */
public final class DeadLetterStatements {

    public static final int QUEUES = 20;
    private static final int JOBS = 5;

    /** An error that at most one dead letter of each queue or job has. */
    public static final String RARE = "a needle in the hay";

    private DeadLetterStatements() {}

    /** Inserts dead letters, 90% of queues and 10% of jobs, two per second up to now. One has the error {@link #RARE}. */
    public static void fill(JdbcClient jdbc, int letters) {
        jdbc.sql("insert into orth_queue (name) select 'dead-' || n from generate_series(1, :queues) n")
                .param("queues", QUEUES)
                .update();
        int first = jdbc.sql("select min(id) from orth_queue where name like 'dead-%'")
                .query(Integer.class)
                .single();
        jdbc.sql("""
                insert into orth_dead_letter (kind, id, queue_id, lane, seq, job_id, job_name, handler, shard_index, shard_total, root_run,
                                              status_at, past, attempt, max_attempts, pushed_at, size, failures, cause, error, stack,
                                              fingerprint, payload)
                select case when run then 'RUN' else 'MESSAGE' end, 1000000000 + n, case when not run then cast(:first as integer) + n % :queues end,
                       case when not run then 2 end, case when not run then 5 end, case when run then 1 + n / 10 % :jobs end,
                       case when run then 'job ' || 1 + n / 10 % :jobs end, case when run then 'handler' end, case when run then 0 end,
                       case when run then 1 end, case when run then 1000000000 + n end,
                       now() - (:letters - n) * interval '500 milliseconds', array[now()], 3, 3,
                       now() - (:letters - n) * interval '500 milliseconds' - interval '1 hour', 11, '[]', 'EXHAUSTED',
                       case when n = :letters / 2 then :rare else 'order ' || n || ' was refused by host ' || n % 70 end,
                       repeat('at com.acme.Mailer.send(Mailer.java:7)' || chr(10), 10), 'print-' || n % 70, '{"order":' || n || '}'
                  from (select n, n % 10 = 9 as run from generate_series(1, :letters) n) numbered
                """)
                .param("letters", letters)
                .param("queues", QUEUES)
                .param("jobs", JOBS)
                .param("first", first)
                .param("rare", RARE)
                .update();
        jdbc.sql("""
                insert into orth_dead_letter_tally (kind, owner, fingerprint, letters, first_at, last_at)
                select kind, coalesce(queue_id, job_id), fingerprint, count(*), min(status_at), max(status_at)
                  from orth_dead_letter
                 group by 1, 2, 3
                """).update();
        jdbc.sql("vacuum analyze").update();
    }

    /** Filters, by the index that serves them. */
    public static Map<String, List<DeadLetterFilter>> searches(int queue, Instant from, Instant to) {
        Map<String, List<DeadLetterFilter>> searches = new LinkedHashMap<>();
        searches.put(
                "orth_dead_letter_pkey",
                List.of(
                        DeadLetterFilter.ALL,
                        new DeadLetterFilter(null, null, null, null, null, null, "nowhere", null, null),
                        new DeadLetterFilter(null, null, null, null, null, null, null, from, to)));
        searches.put(
                "orth_dead_letter_kind",
                List.of(
                        new DeadLetterFilter(DeadKind.RUN, null, null, null, null, null, null, null, null),
                        new DeadLetterFilter(DeadKind.RUN, null, null, null, null, null, "nowhere", from, null)));
        searches.put(
                "orth_dead_letter_queue",
                List.of(
                        new DeadLetterFilter(null, queue, null, null, null, null, null, null, null),
                        new DeadLetterFilter(DeadKind.MESSAGE, queue, null, null, null, null, "nowhere", from, to)));
        searches.put(
                "orth_dead_letter_job",
                List.of(
                        new DeadLetterFilter(null, null, 1, null, null, null, null, null, null),
                        new DeadLetterFilter(null, null, 1, null, null, null, "nowhere", null, to)));
        searches.put(
                "orth_dead_letter_fingerprint",
                List.of(
                        new DeadLetterFilter(null, null, null, null, null, "print-7", null, null, null),
                        new DeadLetterFilter(
                                DeadKind.MESSAGE, null, null, null, null, "print-7", "nowhere", null, null)));
        searches.put(
                "orth_dead_letter_of_queue",
                List.of(
                        new DeadLetterFilter(null, queue, null, null, null, "print-7", null, null, null),
                        new DeadLetterFilter(null, queue, null, null, null, "print-7", "nowhere", from, to)));
        searches.put(
                "orth_dead_letter_handler",
                List.of(
                        new DeadLetterFilter(null, null, null, "handler", null, null, null, null, null),
                        new DeadLetterFilter(DeadKind.RUN, null, null, "handler", null, null, "nowhere", from, null)));
        searches.put(
                "orth_dead_letter_trace",
                List.of(
                        new DeadLetterFilter(null, null, null, null, "trace", null, null, null, null),
                        new DeadLetterFilter(null, queue, null, null, "trace", "print-7", "nowhere", from, to)));
        searches.put(
                "orth_dead_letter_of_job",
                List.of(new DeadLetterFilter(null, null, 1, null, null, "print-7", null, null, null)));
        return searches;
    }

    /** The reads of lists and bulk operations. */
    public static void search(DeadLetterFixture fixture, DeadLetterFilter filter) {
        fixture.list.page(filter, OptionalLong.empty(), 50);
        fixture.list.page(filter, OptionalLong.of(1_000), 50);
        fixture.list.next(filter, 0, Long.MAX_VALUE - 1, 1_000);
    }

    /** Number of database pages that the costliest statement of a list page touches. */
    public static long pagesOf(JdbcClient jdbc, DeadLetterFilter filter) {
        LookThrough look = new LookThrough(filter, 0, Long.MAX_VALUE, false);
        return List.of(look.matches("no, left(error, 500), left(payload, 500)", 51), look.edge()).stream()
                .mapToLong(statement -> jdbc.sql("explain (analyze, buffers, format json) " + statement)
                        .params(look.params())
                        .query((row, n) -> pages(row.getString(1)))
                        .single())
                .max()
                .orElseThrow();
    }

    private static long pages(String plan) {
        return LongStream.of(number(plan, "Shared Hit Blocks"), number(plan, "Shared Read Blocks"))
                .sum();
    }

    /** The first number in the plan is the total of the statement. */
    private static long number(String plan, String name) {
        int at = plan.indexOf("\"" + name + "\": ") + name.length() + 4;
        return Long.parseLong(plan.substring(at, plan.indexOf(',', at)).strip());
    }

    /** All other statements. */
    public static void exercise(DeadLetterFixture fixture, int queue) {
        fixture.groups.list(DeadLetterFilter.ALL, 50);
        fixture.groups.list(new DeadLetterFilter(DeadKind.RUN, null, null, null, null, null, null, null, null), 50);
        fixture.groups.list(new DeadLetterFilter(null, queue, null, null, null, null, null, null, null), 50);
        fixture.groups.count(new DeadLetterFilter(null, null, null, null, null, "print-7", null, null, null));
        fixture.groups.count(new DeadLetterFilter(null, queue, null, null, null, "print-7", null, null, null));
        fixture.groups.prune(Duration.ofDays(30), 100);
        fixture.list.whole(List.of(1L, 2L, 3L));
        fixture.list.next(List.of(1L, 2L, 3L), 0, Long.MAX_VALUE - 1, 100);
        fixture.list.last();
        fixture.list.old(Duration.ofDays(180), DeadLetterList.Old.NONE, 500);
        Operation operation = fixture.operations.begin(Action.DISCARD, List.of(1L, 2L, 3L, 9L), "ann", "");
        fixture.operations.list(null, Long.MAX_VALUE, 50);
        fixture.operations.list(Operation.Status.RUNNING, Long.MAX_VALUE, 50);
        fixture.duty().run();
        fixture.operations.begin(Action.RETRY, List.of(19L, 29L, 31L, 32L), "ann", "");
        fixture.duty().run();
        fixture.operations.get(operation.id());
    }
}
