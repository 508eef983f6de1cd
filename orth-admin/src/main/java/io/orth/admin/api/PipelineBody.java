package io.orth.admin.api;

import io.orth.admin.kernel.Backoff;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.pipeline.PipelineSpec;
import io.orth.admin.pipeline.Stage;
import io.orth.admin.pipeline.Tolerance;
import java.util.List;

/**
 * What a pipeline is to be.
 *
 * @param version the one that was loaded, to be sure that nobody has changed it since
 */
record PipelineBody(String description, List<StageBody> stages, Integer version) {

    /**
     * One stage.
     *
     * @param queue where its tasks go; one of its own, {@code pipeline.NAME.STAGE}, where it is missing
     * @param webhook whom to send them instead, by the name it has in the configuration
     * @param maxAttempts three where it is missing
     * @param concurrency how many at once in the whole cluster; as many as there are workers for where it is missing
     * @param tolerance {@code ALL} must succeed where it is missing
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
