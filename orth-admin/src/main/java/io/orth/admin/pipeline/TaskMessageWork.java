package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.transition.SqlWork;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Subject of queue messages that carry tasks. Available as long as the outbox keeps the entries of these messages. */
@Component
public final class TaskMessageWork extends SqlWork {

    private static final String WORK = PipelineTasks.WORK.formatted("""
            o.message_id as id, o.destination, o.job_id
              from orth_outbox o
              join orth_pipeline_task t on t.id = o.job_id\
            """) + " where o.message_id = any(:ids)";

    public TaskMessageWork(JdbcClient jdbc) {
        super(
                EntityKind.MESSAGE,
                jdbc,
                WORK,
                (row, n) -> PipelineTasks.work(row).inMessage(row.getString("destination"), row.getLong("job_id")));
    }
}
