package io.orth.executor.internal.callback;

import static io.orth.executor.Triggers.trigger;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.orth.executor.ExecutorClient;
import io.orth.executor.ExecutorOptions;
import io.orth.executor.HandlerRegistry;
import io.orth.executor.JobHandler;
import io.orth.executor.OrthExecutor;
import io.orth.executor.RunResult;
import io.orth.protocol.CallbackItem;
import io.orth.testkit.FakeAdmin;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A real executor process that is killed as by {@code kill -9} while results pour in. Its sender waits for an answer that never
 * comes, so what is on disk was put there before it was sent.
 */
@Tag("must-executor")
@Timeout(120)
class KilledExecutorTest {

    private static final int LANES = 8;

    /** The promise is 50 ms; more is for a machine that is busy with other things, and for the news to get here. */
    private static final Duration ON_DISK_WITHIN = DiskPace.PROMISED.plusSeconds(2);

    @TempDir
    Path directory;

    /** When the handler of a run returned, as this process heard of it. */
    private final Map<Long, Long> returned = new ConcurrentHashMap<>();

    private final CountDownLatch started = new CountDownLatch(1);
    private volatile URI address;

    @Test
    void noResultOfAHandlerThatReturnedIsLost() throws Exception {
        try (FakeAdmin nobody = FakeAdmin.start()) {
            nobody.hang();
            Process process = startExecutor(nobody.address());
            try {
                started.await();
                assertThatThrownBy(() -> CallbackFiles.open(directory.resolve("callbacklog")))
                        .hasMessageContaining("another executor uses the directory");
                triggerUntil(400);
            } finally {
                process.destroyForcibly().waitFor();
            }
        }
        long killed = System.nanoTime();
        Set<Long> safe = returned.entrySet().stream()
                .filter(run -> killed - run.getValue() > ON_DISK_WITHIN.toNanos())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        assertThat(safe).hasSizeGreaterThan(300);

        try (FakeAdmin admin = FakeAdmin.start();
                OrthExecutor successor = executor(admin.address(), directory, context -> RunResult.success())) {
            await().untilAsserted(() -> assertThat(admin.callbacks())
                    .extracting(CallbackItem::logId)
                    .containsAll(safe));
            assertThat(admin.callbacks())
                    .allSatisfy(item -> assertThat(item.instanceId()).isNotEqualTo(successor.instanceId()));
            admin.awaitRegistration(registration -> registration.instance().leftoversDelivered());
        }
    }

    private void triggerUntil(int runs) throws Exception {
        ExecutorClient client = new ExecutorClient(address);
        for (long logId = 1; returned.size() < runs; logId++) {
            client.run(trigger((int) (logId % LANES) + 1, "report", logId));
        }
        long last = System.nanoTime() + ON_DISK_WITHIN.toNanos();
        for (long logId = 1_000_000; System.nanoTime() < last; logId++) {
            client.run(trigger((int) (logId % LANES) + 1, "report", logId));
        }
    }

    private Process startExecutor(String admin) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        KilledExecutorTest.class.getName(),
                        admin,
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        Thread reader = new Thread(() -> listenTo(process));
        reader.setDaemon(true);
        reader.start();
        return process;
    }

    private void listenTo(Process process) {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("returned ")) {
                    returned.put(Long.valueOf(line.substring("returned ".length())), System.nanoTime());
                } else if (line.startsWith("address ")) {
                    address = URI.create(line.substring("address ".length()));
                    started.countDown();
                }
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    private static OrthExecutor executor(String admin, Path directory, JobHandler handler) {
        return OrthExecutor.create(
                        ExecutorOptions.builder()
                                .group("tests")
                                .admin(admin)
                                .accessToken(FakeAdmin.TOKEN)
                                .logPath(directory)
                                .adminTimeout(Duration.ofMinutes(5))
                                .build(),
                        HandlerRegistry.builder().add("report", handler).build())
                .start();
    }

    /** The executor that is killed. */
    public static void main(String[] arguments) {
        OrthExecutor executor = executor(arguments[0], Path.of(arguments[1]), context -> {
            System.out.println("returned " + context.logId());
            return RunResult.success("of run " + context.logId());
        });
        System.out.println("address " + executor.address());
    }
}
