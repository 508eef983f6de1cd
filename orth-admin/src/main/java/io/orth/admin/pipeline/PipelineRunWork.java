package io.orth.admin.pipeline;

import io.orth.admin.kernel.EntityKind;
import io.orth.admin.transition.SqlWork;
import io.orth.protocol.StateTransition.Work;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Subject of pipeline runs in transitions: the pipeline name. */
@Component
public final class PipelineRunWork extends SqlWork {

    public PipelineRunWork(JdbcClient jdbc) {
        super(
                EntityKind.PIPELINE_RUN,
                jdbc,
                "select id, pipeline from orth_pipeline_run where id = any(:ids)",
                (row, n) -> Work.ofPipelineRun(row.getLong("id"), row.getString("pipeline")));
    }
}
