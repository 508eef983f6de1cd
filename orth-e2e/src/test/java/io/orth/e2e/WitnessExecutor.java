package io.orth.e2e;

import static org.awaitility.Awaitility.await;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.PipelineWorker;
import io.orth.executor.QueueMessage;
import io.orth.executor.QueueWorker;
import io.orth.executor.RunResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A user's application: its handler writes down each run it sees in a file that the test reads. */
public final class WitnessExecutor {

    static final String QUEUE = "witnessed";

    /** The file with one line per started message. */
    static final String MESSAGES = "messages.txt";

    /** The file with a line for each message whose handler was interrupted while it was held. */
    static final String INTERRUPTED = "interrupted.txt";

    static final String PIPELINE = "witnessed";

    /** How many parts a thing of one stage has in the next, and how long each takes. */
    record PipelineOptions(Integer parts, Long millis) {}

    /** The file with one line per started task. */
    static final String TASKS = "tasks.txt";

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
                .addQueue(QueueWorker.of(QUEUE, context -> work(directory, context))
                        .concurrency(32))
                .addStage(PipelineWorker.of(PIPELINE, "books", task -> divide(directory, task, "chapter"))
                        .concurrency(2))
                .addStage(PipelineWorker.of(PIPELINE, "chapters", task -> divide(directory, task, "page"))
                        .concurrency(4))
                .addStage(PipelineWorker.of(PIPELINE, "pages", task -> divide(directory, task, null))
                        .concurrency(8))
                .build();
        OrthExecutor executor = OrthExecutor.create(options.build(), handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close));
        new CountDownLatch(1).await();
    }

    /** Messages say what is to become of them. */
    private static RunResult work(Path directory, OrthJobContext context) throws IOException, InterruptedException {
        QueueMessage message = context.message().orElseThrow();
        write(directory.resolve(MESSAGES), "%d %d%n".formatted(message.id(), message.attempt()));
        boolean held = context.param().equals("hold each time")
                || (context.param().startsWith("hold") && message.attempt() == 1);
        if (held) {
            hold(directory, message);
        }
        if (context.param().equals("work")) {
            pause(Duration.ofMillis(100));
        }
        return context.param().startsWith("fail") ? RunResult.fail("as it was told") : RunResult.success();
    }

    private static void hold(Path directory, QueueMessage message) throws IOException, InterruptedException {
        try {
            while (!Files.exists(directory.resolve(RELEASE))) {
                new CountDownLatch(1).await(100, TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            write(directory.resolve(INTERRUPTED), "%d%n".formatted(message.id()));
            throw e;
        }
    }

    private static void pause(Duration time) {
        await().atMost(time.multipliedBy(100)).pollDelay(time).until(() -> true);
    }

    /** Each writes its content, and a part fails the first time. */
    private static Object divide(Path directory, PipelineTaskContext task, String parts) throws Exception {
        PipelineOptions options = task.options(PipelineOptions.class);
        write(
                directory.resolve(TASKS),
                "%d %d %d %s%n".formatted(task.taskId(), task.attempt(), task.rootJobId(), task.traceId()));
        task.content("%s/%s".formatted(task.targetType(), task.targetId()), 1);
        if (task.targetId().endsWith("-3") && task.attempt() == 1) {
            throw new IllegalStateException("as it was told");
        }
        new CountDownLatch(1).await(options.millis(), TimeUnit.MILLISECONDS);
        for (int i = 1; parts != null && i <= options.parts(); i++) {
            task.child(parts, "%s-%d".formatted(task.targetId(), i));
        }
        return task.targetId();
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
