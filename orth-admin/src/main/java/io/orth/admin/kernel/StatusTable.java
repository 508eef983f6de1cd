package io.orth.admin.kernel;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.JdbcClient.StatementSpec;
import org.springframework.jdbc.support.SqlValue;

/**
 * The statement that changes statuses in one table: it locks the rows in id order, changes those that have the expected status, and
 * returns them. The table has the columns {@code id}, {@code seq} and {@code status_at}. In the given expressions, {@code t} is the row
 * and {@code w} the requested change: {@code id}, {@code origin}, {@code target} and the added columns.
 */
public final class StatusTable<M extends Move<?>> {

    private record Column<M>(String name, Function<List<M>, SqlValue> values) {}

    private final String sql;
    private final List<Column<M>> columns;

    private StatusTable(String sql, List<Column<M>> columns) {
        this.sql = sql;
        this.columns = columns;
    }

    public static <M extends Move<?>> Builder<M> of(String table) {
        return new Builder<>(table);
    }

    /** Returns the statement for these moves, which contain each id once, in ascending order. */
    public StatementSpec on(JdbcClient jdbc, List<M> moves) {
        StatementSpec statement = jdbc.sql(sql);
        for (Column<M> column : columns) {
            statement = statement.param("w_" + column.name(), column.values().apply(moves));
        }
        return statement;
    }

    public List<MovedRow> move(JdbcClient jdbc, List<M> moves) {
        return moves.isEmpty()
                ? List.of()
                : on(jdbc, moves).query((row, n) -> read(row)).list();
    }

    /**
     * Transactions may reach a row in a different order than they started, so {@code since} could be later than {@code at}; it is capped.
     */
    public static MovedRow read(ResultSet row) throws SQLException {
        Instant at = SqlRows.instant(row, "at");
        Instant since = SqlRows.instant(row, "since");
        return new MovedRow(
                row.getLong("id"),
                row.getInt("seq"),
                since.isAfter(at) ? at : since,
                at,
                SqlRows.intOrNull(row, "job_id"),
                SqlRows.longOrNull(row, "executor_id"),
                row.getString("trace_id"));
    }

    /** Collects further conditions, assignments and returned columns. */
    public static final class Builder<M extends Move<?>> {

        private final String table;
        private String status = "status";
        private final List<Column<M>> columns = new ArrayList<>();
        private final List<String> before = new ArrayList<>();
        private final List<String> expected = new ArrayList<>();
        private final List<String> set = new ArrayList<>();
        private String at = "clock_timestamp()";
        private boolean journalled = true;
        private String since;
        private String facts = "null::integer as job_id, null::bigint as executor_id, null::text as trace_id";
        private final List<String> following = new ArrayList<>();

        private Builder(String table) {
            this.table = table;
            column("id", moves -> SqlArrays.bigints(moves, Move::id));
            column("origin", moves -> SqlArrays.texts(moves, move -> move.from().name()));
            column("target", moves -> SqlArrays.texts(moves, move -> move.to().name()));
        }

        /** Sets the status column and its values if the status is not stored by name in {@code status}. */
        public Builder<M> status(
                String column, Function<List<M>, SqlValue> origins, Function<List<M>, SqlValue> targets) {
            status = column;
            columns.removeIf(each -> each.name().equals("origin") || each.name().equals("target"));
            return column("origin", origins).column("target", targets);
        }

        /** Adds {@code w.name}. A table whose rows are moved out by {@link #leaveTo} must not have a column of that name. */
        public Builder<M> column(String name, Function<List<M>, SqlValue> values) {
            columns.add(new Column<>(name, values));
            return this;
        }

        /** Keeps the value of a column before the change as {@code w.before_column}. */
        public Builder<M> before(String column) {
            before.add(column);
            return this;
        }

        /** Adds a condition that a row must meet to be changed. */
        public Builder<M> onlyIf(String condition) {
            expected.add(condition);
            return this;
        }

        /** Requires the claim of {@link Move#fence}, if the move has one. The arguments are SQL expressions. */
        public Builder<M> fenced(String executorId, String claimId) {
            return column("fence_executor", moves -> SqlArrays.bigints(moves, move -> fence(move, Fence::executorId)))
                    .column("fence_claim", moves -> SqlArrays.bigints(moves, move -> fence(move, Fence::claimId)))
                    .onlyIf("w.fence_claim is null or (%s is not distinct from w.fence_executor and %s = w.fence_claim)"
                            .formatted(executorId, claimId));
        }

        private static Long fence(Move<?> move, Function<Fence, Long> part) {
            return move.fence() == null ? null : part.apply(move.fence());
        }

        public Builder<M> set(String assignments) {
            set.add(assignments);
            return this;
        }

        /** Excludes changes of this status from transitions: {@code seq} and {@code status_at} keep their values. */
        public Builder<M> unjournalled() {
            journalled = false;
            return this;
        }

        /** Sets the expression for the time of the change. */
        public Builder<M> at(String expression) {
            at = expression;
            return this;
        }

        /**
         * Names a column, unaffected by the change, with the time since which rows were in the status they leave. The update then locks
         * the rows itself, one after the other, and saves a second lookup.
         */
        public Builder<M> since(String column) {
            since = column;
            return this;
        }

        /** Sets the SQL expressions for values that transitions carry. */
        public Builder<M> facts(String jobId, String executorId, String traceId) {
            facts = "%s as job_id, %s as executor_id, %s as trace_id".formatted(jobId, executorId, traceId);
            return this;
        }

        /** Returns these columns too. */
        public Builder<M> returning(String more) {
            facts += ", " + more;
            return this;
        }

        /** Adds a further part of the statement, which can read {@code moved}. */
        public Builder<M> then(String name, String part) {
            following.add("%s as (\n%s\n)".formatted(name, part));
            return this;
        }

        /** Builds a statement that updates rows in place. */
        public StatusTable<M> update() {
            String changed = """
                    update %s t
                       set %s = w.target%s%s
                      from %s
                     where t.id = any(array[w.id])
                    """.formatted(
                            table,
                            status,
                            journalled ? ", seq = t.seq + 1, status_at = " + at : "",
                            set.stream().map(", "::concat).collect(Collectors.joining()),
                            since == null ? "w" : wanted());
            String guarded = since == null ? changed : changed + asExpected();
            String returned = guarded
                    + "returning t.id, t.seq, %s as since, t.status_at as at, %s"
                            .formatted(since == null ? "w.since" : since, facts);
            List<String> parts = since == null ? List.of(locked()) : List.of();
            return following.isEmpty()
                    ? built(with(parts) + returned)
                    : built(with(Stream.of(parts, List.of("moved as (\n" + returned + "\n)"), following)
                                    .flatMap(List::stream)
                                    .toList())
                            + "select * from moved");
        }

        /**
         * Builds a statement that moves rows to another table. Rows are locked by being deleted, in id order.
         *
         * @param values values of the columns; they may use {@code moved}: the old row, the columns of the requested change and
         *     {@code moved_at}
         */
        public StatusTable<M> leaveTo(String other, String into, String values) {
            String wantedColumns = columns.stream()
                    .map(Column::name)
                    .filter(name -> !name.equals("id"))
                    .map("w."::concat)
                    .collect(Collectors.joining(", "));
            String moved =
                    "moved as (\ndelete from %s t\n using %s\n where t.id = any(array[w.id])\n%sreturning t.*, %s, %s as moved_at\n)"
                            .formatted(table, wanted(), asExpected(), wantedColumns, at);
            String kept = "kept as (\ninsert into %s (%s)\nselect %s\n  from moved\n)".formatted(other, into, values);
            return built(with(Stream.concat(Stream.of(moved, kept), following.stream())
                            .toList())
                    + "select id, seq + 1 as seq, status_at as since, moved_at as at, %s from moved t"
                            .formatted(facts));
        }

        /** Looks up each row by its id only, in the order of the moves. */
        private String locked() {
            return "w as (\nselect w.*, t.status_at as since%s\n  from %s\n"
                            .formatted(
                                    before.stream()
                                            .map(", t.%1$s as before_%1$s"::formatted)
                                            .collect(Collectors.joining()),
                                    wanted())
                    + " cross join lateral (select * from %s found where found.id = w.id limit 1 for no key update) t\n"
                            .formatted(table)
                    + " where true\n"
                    + asExpected()
                    + ")";
        }

        private String wanted() {
            return "unnest(%s) as w(%s)"
                    .formatted(
                            columns.stream().map(each -> ":w_" + each.name()).collect(Collectors.joining(", ")),
                            columns.stream().map(Column::name).collect(Collectors.joining(", ")));
        }

        private String asExpected() {
            return Stream.concat(Stream.of("t.%s = w.origin".formatted(status)), expected.stream())
                    .map("   and (%s)\n"::formatted)
                    .collect(Collectors.joining());
        }

        private static String with(List<String> parts) {
            return parts.isEmpty() ? "" : "with " + String.join(", ", parts) + "\n";
        }

        private StatusTable<M> built(String sql) {
            return new StatusTable<>(sql, List.copyOf(columns));
        }
    }
}
