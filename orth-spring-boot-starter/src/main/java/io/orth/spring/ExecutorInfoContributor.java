package io.orth.spring;

import io.orth.executor.OrthExecutor;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/** Contributes the executor's group, instance, address, version and handlers to the info endpoint. */
final class ExecutorInfoContributor implements InfoContributor {

    private final OrthExecutorLifecycle lifecycle;
    private final OrthExecutor executor;

    ExecutorInfoContributor(OrthExecutorLifecycle lifecycle, OrthExecutor executor) {
        this.lifecycle = lifecycle;
        this.executor = executor;
    }

    @Override
    public void contribute(Info.Builder builder) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("group", executor.group());
        details.put("instance", executor.instanceId());
        details.put("version", OrthExecutor.version());
        if (lifecycle.state() != OrthExecutorLifecycle.State.NEW) {
            details.put("address", executor.address().toString());
            details.put("handlers", new TreeSet<>(executor.handlerNames()));
        }
        builder.withDetail("orth", Map.of("executor", details));
    }
}
