package io.orth.bench;

import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.OrthExecutor;
import io.orth.executor.RunResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/** The program under measurement: an executor whose runs sleep until one of them wakes them all. */
public final class SleeperExecutor {

    static final String GROUP = "bench";
    static final String SLEEP = "sleep";
    static final String WAKE = "wake";

    private SleeperExecutor() {}

    /** Arguments: the admin's address, a directory, a token. */
    public static void main(String[] arguments) {
        CountDownLatch morning = new CountDownLatch(1);
        HandlerRegistry handlers = HandlerRegistry.builder()
                .add(SLEEP, context -> {
                    morning.await();
                    return RunResult.success();
                })
                .add(WAKE, context -> {
                    morning.countDown();
                    return RunResult.success();
                })
                .build();
        ExecutorOptions options = ExecutorOptions.builder()
                .group(GROUP)
                .admin(arguments[0])
                .logPath(Path.of(arguments[1]))
                .accessToken(arguments[2])
                .host("127.0.0.1")
                .beatInterval(Duration.ofMillis(250))
                .build();
        OrthExecutor executor = OrthExecutor.create(options, handlers).start();
        Runtime.getRuntime().addShutdownHook(new Thread(executor::close, "bench-shutdown"));
    }
}
