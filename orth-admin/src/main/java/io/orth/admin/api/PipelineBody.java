package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.PipelineSpec;
import io.orth.admin.pipeline.Stage;
import io.orth.admin.pipeline.Tolerance;
import java.util.List;

/**
 * Pipeline in a request.
 *
 * @param version version that the caller has loaded, to detect concurrent changes
 */
record PipelineBody(String description, List<StageBody> stages, Integer version) {

    /**
     * Stage of a pipeline.
     *
     * @param queue queue of the stage's tasks; {@code pipeline.NAME.STAGE} if missing
     * @param webhook name of a configured webhook that gets the tasks instead
     * @param maxAttempts three if missing
     * @param concurrency concurrent tasks in the whole cluster; limited only by the workers if missing
     * @param tolerance number or percentage of tasks that may fail; {@code ALL} must succeed if missing
     */
    record StageBody(
            String name,
            String handler,
            String queue,
            String webhook,
            Integer maxAttempts,
            BackoffBody backoff,
            Integer concurrency,
            String tolerance) {

        private static final int USUAL_ATTEMPTS = 3;

        private Stage toStage(String pipeline) {
            String own = webhook == null && name != null ? Stage.usualQueue(pipeline, name) : null;
            return new Stage(
                    name,
                    handler,
                    queue == null ? own : queue,
                    webhook,
                    maxAttempts == null ? USUAL_ATTEMPTS : maxAttempts,
                    BackoffBody.toBackoff(backoff, Backoff.DEFAULT),
                    concurrency,
                    tolerance == null ? Tolerance.ALL : new Tolerance(tolerance));
        }
    }

    PipelineSpec toSpec(String name) {
        if (stages == null) {
            throw OrthException.invalid("stages", "is missing");
        }
        List<Stage> read = ProblemField.each("stages", stages, stage -> stage.toStage(name));
        return new PipelineSpec(name, description == null ? "" : description, read, version);
    }
}
