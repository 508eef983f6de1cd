package io.orth.sample.plain;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** An application without a framework: it starts an executor with two jobs and runs until it is stopped. */
public final class CleanUpApplication {

    /** The parameter of the job, such as {@code {"table": "session", "olderThan": "PT24H"}}. */
    record CleanUp(String table, Optional<Duration> olderThan) {}

    private CleanUpApplication() {}

    public static void main(String[] arguments) {
        OrthExecutor executor =
                OrthExecutor.create(optionsFrom(System.getenv()), handlers()).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close));
    }

    static ExecutorOptions optionsFrom(Map<String, String> environment) {
        return ExecutorOptions.builder()
                .group("sample-plain-java")
                .admin(environment.getOrDefault("ORTH_ADMIN", "http://localhost:8080"))
                .accessToken(environment.get("ORTH_EXECUTOR_ACCESS_TOKEN"))
                .build();
    }

    static HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .add("ping", context -> RunResult.success("pong " + context.param()))
                .addMethodsOf(new CleanUpApplication())
                .build();
    }

    @OrthJob("clean-up")
    RunResult cleanUp(CleanUp what) {
        if (what.table() == null) {
            return RunResult.fail(
                    "which table? The parameter is like {\"table\": \"session\", \"olderThan\": \"PT24H\"}");
        }
        Duration age = what.olderThan().orElse(Duration.ofDays(30));
        OrthJobHelper.log("removing rows of {} older than {}", what.table(), age);
        return RunResult.success("cleaned up " + what.table());
    }
}
