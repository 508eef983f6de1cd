package io.orth.spring;

import io.orth.executor.OrthExecutor;
import org.springframework.boot.actuate.health.AbstractHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.Status;

/** The executor's health indicator for Spring Boot 3. */
final class Boot3HealthIndicator extends AbstractHealthIndicator {

    private final OrthExecutorLifecycle lifecycle;
    private final OrthExecutor executor;

    Boot3HealthIndicator(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
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
