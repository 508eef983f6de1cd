package io.orth.bench.schedule;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.RunResult;
import java.io.IOException;
import java.nio.file.Path;

/** A user's application whose handler notes that it was called. */
public final class OrthProgram {

    static final String HANDLER = "bench";

    private OrthProgram() {}

    /** Arguments: the admin's address, a directory, the file for what was seen. */
    public static void main(String[] arguments) throws IOException {
        Sightings.Recorder recorder = new Sightings.Recorder(Path.of(arguments[2]));
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add(HANDLER, context -> {
                    recorder.saw(context.jobId(), context.scheduleTime().toEpochMilli());
                    return RunResult.success();
                })
                .build();
        ExecutorOptions options = ExecutorOptions.builder()
                .group("bench")
                .admin(arguments[0])
                .accessToken(System.getenv("ORTH_EXECUTOR_ACCESS_TOKEN"))
                .host("127.0.0.1")
                .logPath(Path.of(arguments[1]))
                .build();
        OrthExecutor executor = OrthExecutor.create(options, handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(executor, recorder), "bench-shutdown"));
    }

    private static void end(OrthExecutor executor, Sightings.Recorder recorder) {
        executor.close();
        try {
            recorder.close();
        } catch (IOException e) {
            throw new IllegalStateException("the benchmark cannot write down what it saw", e);
        }
    }
}
