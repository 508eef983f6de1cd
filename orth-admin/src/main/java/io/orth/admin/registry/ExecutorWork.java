package io.orth.admin.registry;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What executors are there for: their group. */
@Component
public final class ExecutorWork implements WorkSource {

    private final JdbcClient jdbc;

    public ExecutorWork(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public EntityKind kind() {
        return EntityKind.EXECUTOR;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        Map<Long, Work> found = new HashMap<>();
        jdbc.sql("select id, group_id from orth_executor where id = any(:ids)")
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(row -> {
                    found.put(row.getLong("id"), new Work(null, null, null, row.getInt("group_id"), null, null));
                });
        return found;
    }
}
