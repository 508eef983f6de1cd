package io.orth.admin.transition;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.transition.TransitionRows.Row;
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
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Knows what transitions name by number only: who wrote them, which executor they concern, and what they are about. */
final class TransitionFacts {

    private static final int REMEMBERED_RUNS = 50_000;
    private static final int REMEMBERED_TASKS = 20_000;
    private static final int REMEMBERED_PROCESSES = 5_000;

    private static final String WRITERS =
            "select id, node_id, host, pid, version, thread from orth_writer where id = any(:ids)";

    private static final String EXECUTORS =
            "select id, instance_id, host, pid, address from orth_executor where id = any(:ids)";

    private final JdbcClient jdbc;
    private final Map<EntityKind, List<WorkSource>> sources = new EnumMap<>(EntityKind.class);
    private final Remembered<Integer, Writer> writers = new Remembered<>(REMEMBERED_PROCESSES);
    private final Remembered<Long, Executor> executors = new Remembered<>(REMEMBERED_PROCESSES);
    /** These facts never change, and most entities change three times within moments. */
    private final Map<EntityKind, Remembered<Long, Work>> remembered = Map.of(
            EntityKind.RUN, new Remembered<>(REMEMBERED_RUNS),
            EntityKind.PIPELINE_TASK, new Remembered<>(REMEMBERED_TASKS),
            EntityKind.MESSAGE, new Remembered<>(REMEMBERED_TASKS));

    TransitionFacts(JdbcClient jdbc, List<WorkSource> sources) {
        this.jdbc = jdbc;
        sources.forEach(source -> this.sources
                .computeIfAbsent(source.kind(), kind -> new ArrayList<>())
                .add(source));
    }

    /** When an entity changed, of a kind whose changes are packed. */
    Set<Instant> momentsOf(EntityKind kind, long id) {
        return of(kind).stream()
                .flatMap(source -> source.momentsOf(id).stream())
                .collect(Collectors.toSet());
    }

    /** The same rows with all that is known about them. */
    List<Row> told(List<Row> rows) {
        Map<Integer, Writer> written =
                writers.get(rows.stream().map(Row::writer).collect(Collectors.toSet()), this::findWriters);
        Map<Long, Executor> concerned = executors.get(
                rows.stream().map(Row::executor).filter(Objects::nonNull).collect(Collectors.toSet()),
                this::findExecutors);
        Map<EntityKind, Map<Long, Work>> works = works(rows);
        return rows.stream()
                .map(row -> row.with(row.transition()
                        .told(
                                works.get(row.kind())
                                        .getOrDefault(
                                                row.transition().entityId(),
                                                row.transition().work())
                                        .atAttempt(row.attempt()),
                                written.get(row.writer()),
                                row.executor() == null
                                        ? null
                                        : concerned.getOrDefault(
                                                row.executor(), new Executor(row.executor(), "", "", 0, "")))))
                .toList();
    }

    private Map<EntityKind, Map<Long, Work>> works(List<Row> rows) {
        Map<EntityKind, Set<Long>> ids = new EnumMap<>(EntityKind.class);
        for (Row row : rows) {
            ids.computeIfAbsent(row.kind(), kind -> new HashSet<>())
                    .add(row.transition().entityId());
            if (row.kind() == EntityKind.RUN && row.transition().work().rootId() != null) {
                remembered
                        .get(EntityKind.RUN)
                        .put(row.transition().entityId(), row.transition().work());
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
                (row, n) -> new Writer(
                        row.getString("node_id"),
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getString("version"),
                        row.getString("thread")));
    }

    private Map<Long, Executor> findExecutors(Collection<Long> ids) {
        return SqlRows.byId(
                jdbc.sql(EXECUTORS).param("ids", SqlArrays.bigints(ids, id -> id)),
                Long.class,
                (row, n) -> new Executor(
                        row.getLong("id"),
                        row.getString("instance_id"),
                        row.getString("host"),
                        row.getLong("pid"),
                        row.getString("address")));
    }
}
