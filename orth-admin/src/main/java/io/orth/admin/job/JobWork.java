package io.orth.admin.job;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** What jobs are, as they are now; or were, when they were deleted. */
@Component
public final class JobWork implements WorkSource {

    private static final String FIND = """
            select id, name, handler, group_id from orth_job where id = any(:ids)
            union all
            select id, name, handler, group_id from orth_deleted_job where id = any(:ids)
            """;

    private final JdbcClient jdbc;

    public JobWork(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public EntityKind kind() {
        return EntityKind.JOB;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        Map<Long, Work> found = new HashMap<>();
        jdbc.sql(FIND).param("ids", SqlArrays.integers(ids, Math::toIntExact)).query(row -> {
            int id = row.getInt("id");
            found.put(
                    (long) id,
                    new Work(id, row.getString("name"), row.getString("handler"), row.getInt("group_id"), null, (long)
                            id));
        });
        return found;
    }
}
