package io.orth.admin.run;

import io.orth.admin.kernel.RunIdGenerator;
import io.orth.admin.kernel.SqlArrays;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the lists that people look at. */
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

    /** Only the conditions that are given are in the statement, so that each combination gets its own plan. */
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
            // As a literal: only then is it seen whether its runs are many, or few and better found by their own index.
            conditions.add("group_id = %d".formatted(filter.groupId()));
        }
        if (filter.status() != null) {
            // As a literal: only then is it seen that an index of unsuccessful runs will do.
            conditions.add("status = '%s'".formatted(filter.status().name()));
        }
        if (filter.from() != null) {
            conditions.add("id >= :from");
            params.put("from", RunIdGenerator.lowestIdAt(filter.from()));
        }
        if (filter.to() != null) {
            conditions.add("id < :to");
            params.put("to", RunIdGenerator.lowestIdAt(filter.to()));
        }
        return jdbc.sql("select %s from orth_run_all where %s order by id desc limit :limit"
                        .formatted(RunRepository.COLUMNS, String.join(" and ", conditions)))
                .params(params)
                .query(RunRepository.TO_RUN)
                .list();
    }

    List<Run> latestOf(Collection<Integer> jobs) {
        return jdbc.sql(LATEST_OF_JOBS)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query(RunRepository.TO_RUN)
                .list();
    }
}
