package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.MovedRow;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.kernel.StateChange;
import io.orth.admin.transition.TransitionRows.Row;
import io.orth.protocol.StateTransition;
import io.orth.protocol.StateTransition.Executor;
import io.orth.protocol.StateTransition.Work;
import io.orth.protocol.StateTransition.Writer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.SimplePropertyRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Resolves the numbers in stored transitions: writer, executor and work. */
final class TransitionFacts {

    private static final int REMEMBERED_RUNS = 50_000;
    private static final int REMEMBERED_TASKS = 20_000;
    private static final int REMEMBERED_PROCESSES = 5_000;

    private static final String WRITERS =
            "select id, node_id as node, host, pid, version, thread from orth_writer where id = any(:ids)";

    private static final String EXECUTORS =
            "select id, instance_id as instance, host, pid, address from orth_executor where id = any(:ids)";

    private final JdbcClient jdbc;
    private final Map<EntityKind, List<WorkSource>> sources = new EnumMap<>(EntityKind.class);
    private final Remembered<Integer, Writer> writers = new Remembered<>(REMEMBERED_PROCESSES, any -> 1);
    private final Remembered<Long, Executor> executors = new Remembered<>(REMEMBERED_PROCESSES, any -> 1);
    /** These facts never change, and most entities have three transitions within moments. */
    private final Map<EntityKind, Remembered<Long, Work>> remembered = Map.of(
            EntityKind.RUN, new Remembered<>(REMEMBERED_RUNS, any -> 1),
            EntityKind.PIPELINE_TASK, new Remembered<>(REMEMBERED_TASKS, any -> 1),
            EntityKind.MESSAGE, new Remembered<>(REMEMBERED_TASKS, any -> 1));

    TransitionFacts(JdbcClient jdbc, List<WorkSource> sources) {
        this.jdbc = jdbc;
        sources.forEach(source -> this.sources
                .computeIfAbsent(source.kind(), kind -> new ArrayList<>())
                .add(source));
    }

    /** Returns the times at which an entity of a packed kind changed. */
    Set<Instant> momentsOf(EntityKind kind, long id) {
        return of(kind).stream()
                .flatMap(source -> source.momentsOf(id).stream())
                .collect(Collectors.toSet());
    }

    /** Loads the facts for {@code rows} and returns a function that builds each transition. */
    Function<Row, StateTransition> about(List<Row> rows) {
        Map<Integer, Writer> written =
                writers.get(rows.stream().map(Row::writer).collect(Collectors.toSet()), this::findWriters);
        Map<Long, Executor> concerned = executors.get(
                rows.stream()
                        .map(row -> row.change().row().executorId())
                        .filter(Objects::nonNull)
                        .collect(Collectors.toSet()),
                this::findExecutors);
        Map<EntityKind, Map<Long, Work>> works = works(rows);
        return row -> {
            StateChange change = row.change();
            MovedRow moved = change.row();
            Work work = works.get(change.entity()).get(moved.id());
            Long executor = moved.executorId();
            return new StateTransition(
                    change.entity().name(),
                    moved.id(),
                    moved.sequence(),
                    change.from(),
                    change.to(),
                    moved.at(),
                    change.millisInFrom(),
                    change.cause(),
                    (work == null ? workOf(moved) : work).atAttempt(moved.attempt()),
                    written.get(row.writer()),
                    executor == null ? null : concerned.getOrDefault(executor, new Executor(executor, "", "", 0, "")),
                    moved.traceId());
        };
    }

    private static Work workOf(MovedRow moved) {
        if (moved.work() != null) {
            return moved.work();
        }
        return moved.jobId() == null ? Work.UNKNOWN : new Work(moved.jobId(), null, null, null, null, null);
    }

    private Map<EntityKind, Map<Long, Work>> works(List<Row> rows) {
        Map<EntityKind, Set<Long>> ids = new EnumMap<>(EntityKind.class);
        for (Row row : rows) {
            EntityKind kind = row.change().entity();
            MovedRow moved = row.change().row();
            ids.computeIfAbsent(kind, any -> new HashSet<>()).add(moved.id());
            if (kind == EntityKind.RUN && moved.work() != null && moved.work().rootId() != null) {
                remembered.get(kind).put(moved.id(), moved.work());
            }
        }
        Map<EntityKind, Map<Long, Work>> works = new EnumMap<>(EntityKind.class);
        ids.forEach((kind, of) -> works.put(kind, works(kind, of)));
        return works;
    }

    private Map<Long, Work> works(EntityKind kind, Set<Long> ids) {
        Remembered<Long, Work> known = remembered.get(kind);
        return known == null ? find(kind, ids) : known.get(ids, unknown -> find(kind, unknown));
    }

    private Map<Long, Work> find(EntityKind kind, Set<Long> ids) {
        Map<Long, Work> found = new HashMap<>();
        of(kind).forEach(source -> found.putAll(source.find(ids)));
        return found;
    }

    private List<WorkSource> of(EntityKind kind) {
        return sources.getOrDefault(kind, List.of());
    }

    private Map<Integer, Writer> findWriters(Collection<Integer> ids) {
        return SqlRows.byId(
                jdbc.sql(WRITERS).param("ids", SqlArrays.integers(ids, id -> id)),
                Integer.class,
                new SimplePropertyRowMapper<>(Writer.class));
    }

    private Map<Long, Executor> findExecutors(Collection<Long> ids) {
        return SqlRows.byId(
                jdbc.sql(EXECUTORS).param("ids", SqlArrays.bigints(ids, id -> id)),
                Long.class,
                new SimplePropertyRowMapper<>(Executor.class));
    }
}
