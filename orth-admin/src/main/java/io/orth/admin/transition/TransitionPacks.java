package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.LastWrites;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.JournalRepository.Batch;
import io.orth.admin.transition.TransitionRows.Row;
import io.orth.protocol.StateTransition.Work;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.LongConsumer;
import org.springframework.jdbc.core.namedparam.MapSqlParameterSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.SqlValue;

/**
 * Equal changes of several entities stored as one row: common values once, the others as lists. A list of sequence or attempt numbers has
 * a single element if all are equal, which is usual.
 */
final class TransitionPacks {

    private static final String WRITE = """
            with journal as (
                insert into orth_journal (changes) values (:changes) returning batch
            ), written as (
                insert into orth_transition_pack (batch, entity, from_status, to_status, at, cause, queue, executor_id, writer_id,
                                                  entity_ids, seqs, attempts, millis, trace_ids)
                select batch, :entity, :from, :to, :at, :cause, :queue, :executor::bigint, :writer, :ids, :sequences, :attempts::integer[],
                       :millis::bigint[], :traces::text[]
                  from journal
            )
            select batch from journal
            """;

    private static final String SELECT = """
            select batch, entity, from_status, to_status, at, cause, queue, executor_id, writer_id, entity_ids, seqs, attempts,
                   millis, trace_ids
              from orth_transition_pack
            """;

    private static final String AT = SELECT + """
             where at = any(:moments)
               and entity = :entity
               and entity_ids @> array[:id]
            """;

    private static final String OF_BATCHES = SELECT + """
             where batch = any(:batches)
               and at >= :since
            """;

    /** Values that changes must share to be packed together. */
    private record Kind(
            EntityKind entity, String from, String to, String cause, Instant at, Long executor, String queue) {

        static Kind of(StateChange change) {
            MovedRow row = change.row();
            return new Kind(
                    change.entity(),
                    change.from(),
                    change.to(),
                    change.cause(),
                    row.at(),
                    row.executorId(),
                    row.work() == null ? null : row.work().queue());
        }
    }

    private final JdbcClient jdbc;

    TransitionPacks(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Groups changes into packs of at most {@code most}. */
    static Collection<List<StateChange>> of(List<StateChange> changes, int most) {
        Map<Kind, List<StateChange>> packs = new LinkedHashMap<>();
        List<List<StateChange>> full = new ArrayList<>();
        for (StateChange change : changes) {
            Kind kind = Kind.of(change);
            List<StateChange> pack = packs.computeIfAbsent(kind, any -> new ArrayList<>());
            pack.add(change);
            if (pack.size() == most) {
                full.add(packs.remove(kind));
            }
        }
        full.addAll(packs.values());
        return full;
    }

    /**
     * Adds the insert of a pack to the pending writes.
     *
     * @param answer receives the pack's number in the journal
     */
    static void write(LastWrites writes, int writer, List<StateChange> pack, LongConsumer answer) {
        Kind kind = Kind.of(pack.get(0));
        boolean traced = pack.stream().anyMatch(change -> change.row().traceId() != null);
        MapSqlParameterSource values = new MapSqlParameterSource()
                .addValue("changes", pack.size())
                .addValue("entity", kind.entity().name())
                // Typed nulls keep the statement the same, so it is not planned again whenever a value is null.
                .addValue("from", kind.from(), Types.VARCHAR)
                .addValue("to", kind.to())
                .addValue("at", SqlRows.timestamp(kind.at()))
                .addValue("cause", kind.cause())
                .addValue("queue", kind.queue(), Types.VARCHAR)
                .addValue("executor", kind.executor(), Types.BIGINT)
                .addValue("writer", writer)
                .addValue("ids", SqlArrays.bigints(pack, c -> c.row().id()))
                .addValue("sequences", alike(pack, change -> change.row().sequence()))
                .addValue(
                        "attempts",
                        pack.stream().anyMatch(change -> change.row().attempt() != null)
                                ? alike(pack, change -> change.row().attempt())
                                : SqlArrays.noIntegers())
                .addValue(
                        "millis",
                        kind.from() == null
                                ? SqlArrays.noBigints()
                                : SqlArrays.bigints(pack, StateChange::millisInFrom))
                .addValue("traces", traced ? SqlArrays.texts(pack, c -> c.row().traceId()) : SqlArrays.noTexts());
        writes.add(WRITE, values, answer);
    }

    /** Returns one element if the number is equal for all changes. */
    private static SqlValue alike(List<StateChange> pack, Function<StateChange, Integer> number) {
        Integer first = number.apply(pack.get(0));
        boolean alike = pack.stream().allMatch(change -> Objects.equals(number.apply(change), first));
        return SqlArrays.integers(alike ? pack.subList(0, 1) : pack, number);
    }

    /** Returns the changes of one entity at these times, oldest first. */
    List<Row> of(EntityKind entity, long id, Set<Instant> moments) {
        return unpacked(jdbc.sql(AT)
                        .param("moments", SqlArrays.instants(moments, moment -> moment))
                        .param("entity", entity.name())
                        .param("id", id))
                .stream()
                .filter(row -> row.change().row().id() == id)
                .sorted(Comparator.comparing(row -> row.change().row().sequence()))
                .toList();
    }

    List<Row> of(List<Batch> batches, Instant since) {
        return unpacked(jdbc.sql(OF_BATCHES)
                .param("batches", SqlArrays.bigints(batches, Batch::id))
                .param("since", SqlRows.timestamp(since)));
    }

    private static List<Row> unpacked(StatementSpec packs) {
        List<Row> rows = new ArrayList<>();
        packs.query(row -> {
            unpack(row, rows);
        });
        return rows;
    }

    private static void unpack(ResultSet row, List<Row> rows) throws SQLException {
        Long[] ids = (Long[]) row.getArray("entity_ids").getArray();
        Integer[] sequences = (Integer[]) row.getArray("seqs").getArray();
        Object[] attempts = valuesOf(row.getArray("attempts"), ids.length);
        Object[] millis = valuesOf(row.getArray("millis"), ids.length);
        Object[] traces = valuesOf(row.getArray("trace_ids"), ids.length);
        Instant at = SqlRows.instant(row, "at");
        Work work = row.getString("queue") == null ? null : Work.ofQueue(row.getString("queue"));
        for (int i = 0; i < ids.length; i++) {
            MovedRow moved = new MovedRow(
                    ids[i],
                    sequences[sequences.length == 1 ? 0 : i],
                    TransitionRows.since(at, (Long) millis[i]),
                    at,
                    null,
                    SqlRows.longOrNull(row, "executor_id"),
                    Objects.toString(traces[i], null),
                    work,
                    (Integer) attempts[attempts.length == 1 ? 0 : i]);
            rows.add(Row.of(row, moved));
        }
    }

    private static Object[] valuesOf(Array array, int length) throws SQLException {
        return array == null ? new Object[length] : (Object[]) array.getArray();
    }
}
