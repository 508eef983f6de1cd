package io.orth.e2e;

import static org.awaitility.Awaitility.await;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CountDownLatch;

/** A user's application: its handler writes down each run it sees in a file that the test reads. */
public final class WitnessExecutor {

    /** The file whose appearance ends held runs. */
    static final String RELEASE = "release";

    private WitnessExecutor() {}

    /** Arguments: group, directory, admin addresses. */
    public static void main(String[] args) throws InterruptedException {
        Path directory = Path.of(args[1]);
        Path witness = directory.resolve("witness.txt");
        ExecutorOptions.Builder options = ExecutorOptions.builder()
                .group(args[0])
                .accessToken(System.getenv("ORTH_EXECUTOR_ACCESS_TOKEN"))
                .host("127.0.0.1")
                .logPath(directory.resolve("logs"));
        for (int i = 2; i < args.length; i++) {
            options.admin(args[i]);
        }
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add("witness", context -> {
                    write(witness, line(context));
                    return RunResult.success();
                })
                .add("held", context -> {
                    write(witness, line(context));
                    await().forever().until(() -> Files.exists(directory.resolve(RELEASE)));
                    return RunResult.success();
                })
                .add("endless", context -> {
                    new CountDownLatch(1).await();
                    return RunResult.success();
                })
                .build();
        OrthExecutor executor = OrthExecutor.create(options.build(), handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close));
        new CountDownLatch(1).await();
    }

    private static String line(OrthJobContext context) {
        return "%d %d %s%n".formatted(context.jobId(), context.logId(), context.scheduleTime());
    }

    /** One write, so that lines of parallel runs never mix and a kill leaves whole lines. */
    private static void write(Path file, String line) throws IOException {
        Files.writeString(file, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        OrthJobHelper.log("witnessed");
    }
}
