package io.orth.executor;

import static org.awaitility.Awaitility.await;

import io.orth.testkit.FakeAdmin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fixture for tests of a complete executor: an admin, handlers that can be held, and requests to the executor under
 * test.
 */
final class ExecutorRoom {

    final FakeAdmin admin = FakeAdmin.start();
    final AtomicInteger executions = new AtomicInteger();
    final CountDownLatch hold = new CountDownLatch(1);
    final CountDownLatch holding = new CountDownLatch(1);
    final CountDownLatch stubborn = new CountDownLatch(1);

    private final Path directory;

    ExecutorRoom(Path directory) {
        this.directory = directory;
    }

    HandlerRegistry handlers() {
        return HandlerRegistry.builder()
                .add("greet", context -> {
                    executions.incrementAndGet();
                    OrthJobHelper.log("greeting {}", context.param());
                    OrthJobHelper.log("done");
                    return RunResult.success("hello " + context.param());
                })
                .add("hold", context -> {
                    holding.countDown();
                    hold.await();
                    return RunResult.success();
                })
                .add("stubborn", context -> {
                    stubborn.countDown();
                    while (hold.getCount() > 0) {
                        try {
                            hold.await();
                        } catch (InterruptedException e) {
                            // That is what makes it stubborn.
                        }
                    }
                    return RunResult.success();
                })
                .add("throw", context -> {
                    throw new IllegalStateException("no luck", new IOException("disk on fire"));
                })
                .add("overflow", context -> {
                    throw new StackOverflowError();
                })
                .add("long", context -> RunResult.fail("x".repeat(60_001)))
                .build();
    }

    ExecutorOptions.Builder options() {
        return ExecutorOptions.builder()
                .group("tests")
                .admin(admin.address())
                .accessToken(FakeAdmin.TOKEN)
                .logPath(directory)
                .beatInterval(Duration.ofMillis(200))
                .callbackRetryInterval(Duration.ofMillis(500));
    }

    void awaitFiles(boolean some) {
        await().until(() -> {
            try (var files = Files.newDirectoryStream(directory.resolve("callbacklog"), "*.log")) {
                return files.iterator().hasNext() == some;
            }
        });
    }
}
