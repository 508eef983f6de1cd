package io.orth.admin.run;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL for the run lists of the console and the API. */
final class RunQuery {

    private static final String LATEST_OF_JOBS = """
            select l.*
              from unnest(:jobs) as j(id)
             cross join lateral (select %s from orth_run_all r where r.job_id = j.id order by r.id desc limit 1) l
            """.formatted(RunRepository.COLUMNS);

    private final JdbcClient jdbc;

    RunQuery(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Includes only the given conditions in the statement, so each combination has its own plan. */
    List<Run> list(RunFilter filter) {
        List<String> conditions = new ArrayList<>();
        Map<String, Object> params = new HashMap<>();
        conditions.add("id < :before");
        params.put("before", filter.before());
        params.put("limit", filter.limit());
        if (filter.jobId() != null) {
            conditions.add("job_id = :job");
            params.put("job", filter.jobId());
        }
        if (filter.groupId() != null) {
            // A literal lets the planner see whether the group has many runs, or few that are better found by their own
            // index.
            conditions.add("group_id = %d".formatted(filter.groupId()));
        }
        if (filter.from() != null) {
            conditions.add("id >= :from");
            params.put("from", RunIdGenerator.lowestIdAt(filter.from()));
        }
        if (filter.to() != null) {
            conditions.add("id < :to");
            params.put("to", RunIdGenerator.lowestIdAt(filter.to()));
        }
        return jdbc.sql(statement(String.join(" and ", conditions), filter.statuses()))
                .params(params)
                .query(RunRepository.TO_RUN)
                .list();
    }

    /**
     * Reads the newest runs of each status separately and merges them, because an index by status and id is in id order for one status
     * only. At most {@code limit} runs of each status are read, however many there are.
     */
    private static String statement(String conditions, Set<RunStatus> statuses) {
        if (statuses.isEmpty() || statuses.size() == RunStatus.values().length) {
            return newest(conditions);
        }
        // A literal lets the planner use the partial index of unsuccessful runs.
        List<String> parts = statuses.stream()
                .sorted()
                .map(status -> newest("%s and status = '%s'".formatted(conditions, status.name())))
                .toList();
        return parts.size() == 1
                ? parts.get(0)
                : "select * from ((%s)) r order by id desc limit :limit".formatted(String.join(") union all (", parts));
    }

    private static String newest(String conditions) {
        return "select %s from orth_run_all where %s order by id desc limit :limit"
                .formatted(RunRepository.COLUMNS, conditions);
    }

    List<Run> latestOf(Collection<Integer> jobs) {
        return jdbc.sql(LATEST_OF_JOBS)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query(RunRepository.TO_RUN)
                .list();
    }
}
