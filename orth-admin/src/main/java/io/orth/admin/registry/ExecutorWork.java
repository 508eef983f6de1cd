package io.orth.admin.registry;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.transition.SqlWork;
import io.orth.protocol.StateTransition.Work;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Journal facts of executors: their group. */
@Component
public final class ExecutorWork extends SqlWork {

    public ExecutorWork(JdbcClient jdbc) {
        super(
                EntityKind.EXECUTOR,
                jdbc,
                "select id, group_id from orth_executor where id = any(:ids)",
                (row, n) -> new Work(null, null, null, row.getInt("group_id"), null, null));
    }
}
