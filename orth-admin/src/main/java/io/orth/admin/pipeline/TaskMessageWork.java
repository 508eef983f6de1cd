package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The tasks that messages carry, as long as the outbox keeps the entries that became these messages. */
public final class TaskMessageWork implements WorkSource {

    private static final String WORK =
            "select o.message_id, o.destination, o.job_id, " + PipelineTasks.WORK_COLUMNS + """

              from orth_outbox o
              join orth_pipeline_task t on t.id = o.job_id
              join orth_pipeline_run r on r.id = t.root_id
              join orth_pipeline_stage s on s.id = t.stage_id
             where o.message_id = any(:ids)
            """;

    private final JdbcClient jdbc;

    public TaskMessageWork(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public EntityKind kind() {
        return EntityKind.MESSAGE;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        Map<Long, Work> found = new HashMap<>();
        jdbc.sql(WORK).param("ids", SqlArrays.bigints(ids, id -> id)).query(row -> {
            found.put(
                    row.getLong("message_id"),
                    PipelineTasks.work(row).inMessage(row.getString("destination"), row.getLong("job_id")));
        });
        return found;
    }
}
