package io.orth.admin.history;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.run.RunStatus;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Counts of finished runs by result. Never reads the runs themselves. */
@Component
public final class RunReports {

    private static final String FOLD = """
            with taken as (
                delete from orth_run_tally
                 where ctid = any(array(select ctid from orth_run_tally limit :limit for update skip locked))
                returning *
            ), folded as (
                insert into orth_run_report as r (hour, group_id, status, runs, millis)
                select hour, group_id, status, sum(runs), sum(millis)
                  from taken
                 group by hour, group_id, status
                 order by hour, group_id, status
                on conflict (hour, group_id, status) do update
                   set runs = r.runs + excluded.runs, millis = r.millis + excluded.millis
            )
            select count(*) from taken
            """;

    /**
     * Includes tallies that are not folded yet. The caller passes the start of each day, because the database may know other time zones.
     */
    private static final String BY_DAY = """
            select width_bucket(hour, :starts) as day, status, sum(runs) as runs, sum(millis) as millis
              from (select hour, group_id, status, runs, millis from orth_run_report
                    union all
                    select hour, group_id, status, runs, millis from orth_run_tally) ended
             where hour >= :from
               and hour < :to
               and (:group::integer is null or group_id = :group)
             group by 1, 2
            """;

    private static final String PRUNE = """
            delete from orth_run_report
             where (hour, group_id, status) in (select hour, group_id, status
                                                  from orth_run_report
                                                 where hour < :before
                                                 order by hour
                                                 limit :limit)
            """;

    /**
     * Runs that finished on one day.
     *
     * @param runs number of runs by status
     * @param millis total duration of the runs that were not skipped
     */
    public record Day(LocalDate day, Map<RunStatus, Long> runs, long millis) {

        public Day {
            runs = Map.copyOf(runs);
        }

        /** Returns the number of finished runs without skipped ones, which never ran. */
        public long total() {
            return runs.entrySet().stream()
                    .filter(each -> each.getKey() != RunStatus.SKIPPED)
                    .mapToLong(Map.Entry::getValue)
                    .sum();
        }
    }

    private final JdbcClient jdbc;

    RunReports(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns each day from {@code first} to {@code last} in {@code zone}, of one group or, if {@code group} is null, of all groups. */
    public List<Day> byDay(LocalDate first, LocalDate last, ZoneId zone, Integer group) {
        List<LocalDate> days = first.datesUntil(last.plusDays(1)).toList();
        Map<LocalDate, Map<RunStatus, Long>> runs = new HashMap<>();
        Map<LocalDate, Long> millis = new HashMap<>();
        jdbc.sql(BY_DAY)
                .param("starts", SqlArrays.instants(days, day -> startOf(day, zone)))
                .param("from", SqlRows.timestamp(startOf(first, zone)))
                .param("to", SqlRows.timestamp(startOf(last.plusDays(1), zone)))
                .param("group", group)
                .query(row -> {
                    LocalDate day = days.get(row.getInt("day") - 1);
                    RunStatus status = RunStatus.valueOf(row.getString("status"));
                    runs.computeIfAbsent(day, d -> new EnumMap<>(RunStatus.class))
                            .put(status, row.getLong("runs"));
                    if (status != RunStatus.SKIPPED) {
                        millis.merge(day, row.getLong("millis"), Long::sum);
                    }
                });
        return days.stream()
                .map(day -> new Day(day, runs.getOrDefault(day, Map.of()), millis.getOrDefault(day, 0L)))
                .toList();
    }

    private static Instant startOf(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant();
    }

    /** Returns the number of unfinished runs. */
    public long open() {
        return jdbc.sql("select count(*) from orth_run").query(Long.class).single();
    }

    /** Folds up to {@code limit} tallies of finished runs into the report. Returns the number of tallies. */
    int fold(int limit) {
        return jdbc.sql(FOLD).param("limit", limit).query(Integer.class).single();
    }

    int prune(Instant before, int limit) {
        return jdbc.sql(PRUNE)
                .param("before", SqlRows.timestamp(before))
                .param("limit", limit)
                .update();
    }
}
