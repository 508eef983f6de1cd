package io.orth.sample.hydrate;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import java.nio.file.Path;
import java.util.Map;

/** An executor for the pipeline's stages, which runs until it is stopped. */
public final class HydrateApplication {

    private HydrateApplication() {}

    public static void main(String[] arguments) {
        Map<String, String> environment = System.getenv();
        HandlerRegistry handlers = HydrateSettings.from(environment, Path.of("hydrate-content"))
                .addTo(HandlerRegistry.builder())
                .build();
        ExecutorOptions options = ExecutorOptions.builder()
                .group("sample-hydrate-all")
                .admin(environment.getOrDefault("ORTH_ADMIN", "http://localhost:8080"))
                .accessToken(environment.get("ORTH_EXECUTOR_ACCESS_TOKEN"))
                .build();
        OrthExecutor executor = OrthExecutor.create(options, handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close));
    }
}
