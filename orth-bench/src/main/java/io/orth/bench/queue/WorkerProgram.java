package io.orth.bench.queue;

import io.orth.bench.Sizes;
import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.PipelineTaskContext;
import io.orth.executor.PipelineWorker;
import io.orth.executor.QueueWorker;
import io.orth.executor.RunResult;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * A user's application that works on a queue and does nothing, or notes how long ago a message says that it was pushed. It also works
 * on a pipeline, whose tasks do nothing but to propose the next ones.
 */
public final class WorkerProgram {

    static final String QUEUE = "bench";

    /** One that is worked on as well. */
    static final String OTHER_QUEUE = "other";

    static final String PIPELINE = "bench";

    static final List<String> STAGES = List.of("books", "chapters", "pages");

    /** How many a book has, which makes a run small or large; the worker gets it as an argument. */
    static final int CHAPTERS = Sizes.of("chapters", 100, 100);

    private static final int PAGES = 99;

    private static final int OTHER_CONCURRENCY = 32;

    private WorkerProgram() {}

    /** How many a run has that begins with so many books. */
    static int tasksOf(int books) {
        return books + books * CHAPTERS + books * CHAPTERS * PAGES;
    }

    /** Arguments: the admin's address, a directory, how many at once, the file for what was seen or {@code -}, chapters a book has. */
    public static void main(String[] arguments) throws Exception {
        PrintWriter seen = arguments[3].equals("-") ? null : new PrintWriter(arguments[3], StandardCharsets.UTF_8);
        int concurrency = Integer.parseInt(arguments[2]);
        int chapters = Integer.parseInt(arguments[4]);
        HandlerRegistry handlers = HandlerRegistry.builder()
                .addQueue(QueueWorker.of(QUEUE, context -> {
                            if (seen != null) {
                                note(seen, context.param());
                            }
                            return RunResult.success();
                        })
                        .concurrency(concurrency))
                .addQueue(QueueWorker.of(OTHER_QUEUE, context -> RunResult.success())
                        .concurrency(OTHER_CONCURRENCY))
                .addStage(PipelineWorker.of(PIPELINE, "books", task -> divide(task, "chapter", chapters))
                        .concurrency(concurrency))
                .addStage(PipelineWorker.of(PIPELINE, "chapters", task -> divide(task, "page", PAGES))
                        .concurrency(concurrency))
                .addStage(PipelineWorker.of(PIPELINE, "pages", task -> null).concurrency(concurrency))
                .build();
        ExecutorOptions options = ExecutorOptions.builder()
                .group("bench")
                .admin(arguments[0])
                .accessToken(System.getenv("ORTH_EXECUTOR_ACCESS_TOKEN"))
                .host("127.0.0.1")
                .logPath(Path.of(arguments[1]))
                .build();
        OrthExecutor executor = OrthExecutor.create(options, handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close, "bench-shutdown"));
    }

    private static Object divide(PipelineTaskContext task, String type, int parts) {
        for (int i = 0; i < parts; i++) {
            task.child(type, "%s-%d".formatted(task.targetId(), i));
        }
        return null;
    }

    /** Both processes are on one machine, whose clock both read. */
    private static synchronized void note(PrintWriter seen, String pushedMicros) {
        seen.println(StartTimes.nowMicros() - Long.parseLong(pushedMicros));
        seen.flush();
    }
}
