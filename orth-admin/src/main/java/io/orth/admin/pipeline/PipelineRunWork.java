package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.transition.WorkSource;
import io.orth.protocol.StateTransition.Work;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What runs of pipelines are about: the pipeline, by its name. */
public final class PipelineRunWork implements WorkSource {

    private final JdbcClient jdbc;

    public PipelineRunWork(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    @Override
    public EntityKind kind() {
        return EntityKind.PIPELINE_RUN;
    }

    @Override
    public Map<Long, Work> find(Collection<Long> ids) {
        Map<Long, Work> found = new HashMap<>();
        jdbc.sql("select id, pipeline from orth_pipeline_run where id = any(:ids)")
                .param("ids", SqlArrays.bigints(ids, id -> id))
                .query(row -> {
                    long id = row.getLong("id");
                    found.put(id, Work.ofPipelineRun(id, row.getString("pipeline")));
                });
        return found;
    }
}
