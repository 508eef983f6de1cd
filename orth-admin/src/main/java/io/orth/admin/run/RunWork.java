package io.orth.admin.run;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Facts about runs for transitions. */
@Component
public final class RunWork implements WorkSource {

    /** The bounds allow partition pruning by day; the list of ids alone does not. */
    private static final String FIND = """
            select id, job_id, job_name, handler, group_id, schedule_time, coalesce(root_run, id) as root
              from orth_run_all
             where id = any(:ids)
               and id between :lowest and :highest
            """;

    private final JdbcClient jdbc;

    public RunWork(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public EntityKind kind() {
        return EntityKind.RUN;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        if (ids.isEmpty()) {
            return Map.of();
        }
        return SqlRows.byId(
                jdbc.sql(FIND)
                        .param("ids", SqlArrays.bigints(ids, id -> id))
                        .param("lowest", Collections.min(ids))
                        .param("highest", Collections.max(ids)),
                Long.class,
                (row, n) -> new Work(
                        row.getInt("job_id"),
                        row.getString("job_name"),
                        row.getString("handler"),
                        row.getInt("group_id"),
                        SqlRows.instant(row, "schedule_time"),
                        row.getLong("root")));
    }
}
