package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/** The executor's health indicator for Spring Boot 4. */
final class Boot4HealthIndicator extends AbstractHealthIndicator {

    private final OrthExecutorLifecycle lifecycle;
    private final OrthExecutor executor;

    Boot4HealthIndicator(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
        super("the executor could not be asked how it does");
        this.lifecycle = lifecycle;
        this.executor = executor;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        ExecutorHealth health = ExecutorHealth.of(lifecycle.state(), executor.status());
        builder.status(new Status(health.verdict().name())).withDetails(health.details());
    }
}
