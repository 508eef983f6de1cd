package io.orth.admin.pipeline;

import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the content log: references to content that tasks have produced, unique per task. Callers own the transaction. */
final class ContentLog {

    static final String STORED = "stored";
    static final String READY = "ready";
    static final String ABANDONED = "abandoned";

    private static final int MOST_TOLD = 1_000;

    /** Overwrites a reference that an earlier attempt of the same task recorded. */
    private static final String RECORD = """
            insert into orth_content_log (root_id, task_id, content_ref, status, size, created_at)
            values (:root, :task, :ref, :status, :size, :at)
            on conflict (task_id, content_ref) do update
               set status = excluded.status, size = excluded.size
            returning xmax = 0 as fresh
            """;

    /** Leaves rows with an application-defined status unchanged. */
    private static final String SETTLE = """
            update orth_content_log
               set status = :status
             where task_id = any(:tasks)
               and status = case when :status = 'stored' then 'abandoned' else 'stored' end
            """;

    private static final String OF = """
            select c.task_id, c.content_ref
              from unnest(:tasks) as t(id)
             cross join lateral (select task_id, content_ref
                                   from orth_content_log
                                  where task_id = t.id
                                  order by content_ref
                                  limit :limit) c
            """;

    private final JdbcClient jdbc;

    ContentLog(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns whether the reference is new for this task. */
    boolean record(PipelineTask task, String ref, String status, long size, Instant at) {
        return jdbc.sql(RECORD)
                .param("root", task.rootId())
                .param("task", task.id())
                .param("ref", ref)
                .param("status", status)
                .param("size", size)
                .param("at", SqlRows.timestamp(at))
                .query(Boolean.class)
                .single();
    }

    void settle(Collection<Long> tasks, String status) {
        jdbc.sql(SETTLE)
                .param("tasks", SqlArrays.bigints(tasks, id -> id))
                .param("status", status)
                .update();
    }

    /** Returns the references recorded by each of these tasks, at most 1,000 per task. */
    Map<Long, List<String>> of(Collection<Long> tasks) {
        Map<Long, List<String>> found = new HashMap<>();
        if (!tasks.isEmpty()) {
            jdbc.sql(OF)
                    .param("tasks", SqlArrays.bigints(tasks, id -> id))
                    .param("limit", MOST_TOLD)
                    .query(row -> {
                        found.computeIfAbsent(row.getLong("task_id"), any -> new ArrayList<>())
                                .add(row.getString("content_ref"));
                    });
        }
        return found;
    }
}
