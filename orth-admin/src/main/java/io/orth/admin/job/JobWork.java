package io.orth.admin.job;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.transition.SqlWork;
import io.orth.protocol.StateTransition.Work;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Subject of jobs in transitions: current attributes, or the last ones of a deleted job. */
@Component
public final class JobWork extends SqlWork {

    private static final String FIND = """
            select id::bigint, name, handler, group_id from orth_job where id = any(:ids)
            union all
            select id::bigint, name, handler, group_id from orth_deleted_job where id = any(:ids)
            """;

    public JobWork(JdbcClient jdbc) {
        super(EntityKind.JOB, jdbc, FIND, (row, n) -> {
            int id = row.getInt("id");
            return new Work(
                    id, row.getString("name"), row.getString("handler"), row.getInt("group_id"), null, (long) id);
        });
    }
}
