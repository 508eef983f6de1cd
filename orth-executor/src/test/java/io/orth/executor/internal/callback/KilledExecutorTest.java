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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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

    @TempDir
    Path directory;

    /** The run that each lane started last. Only the thread that reads the process's output uses it. */
    private final Map<Integer, Long> begun = new HashMap<>();

    /** Runs whose results were reported: the next run of their lane has started. Used like {@link #begun}. */
    private final Set<Long> reported = new HashSet<>();

    /** Runs reported before the current probe. Used like {@link #begun}. */
    private Set<Long> probed = Set.of();

    /** Those reported before a probe that has ended: they must be on disk. */
    private volatile Set<Long> safe = Set.of();

    private final CountDownLatch started = new CountDownLatch(1);
    private volatile URI address;

    @Test
    @Tag("must-first")
    void keepsResultsReportedThreeFilesAgo() throws Exception {
        Set<Long> demanded;
        try (FakeAdmin nobody = FakeAdmin.start()) {
            nobody.hang();
            Process process = startExecutor(nobody.address());
            try {
                started.await();
                assertThatThrownBy(() -> CallbackFiles.open(directory.resolve("callbacklog")))
                        .hasMessageContaining("another executor uses the directory");
                triggerUntilSafe(400);
                demanded = safe;
            } finally {
                process.destroyForcibly().waitFor();
            }
        }

        try (FakeAdmin admin = FakeAdmin.start();
                OrthExecutor successor = executor(admin.address(), directory, context -> RunResult.success())) {
            await().untilAsserted(() -> assertThat(admin.callbacks())
                    .extracting(CallbackItem::logId)
                    .containsAll(demanded));
            assertThat(admin.callbacks())
                    .allSatisfy(item -> assertThat(item.instanceId()).isNotEqualTo(successor.instanceId()));
            admin.awaitRegistration(registration -> registration.instance().leftoversDelivered());
        }
    }

    /** The load lasts until the last moment. */
    private void triggerUntilSafe(int runs) throws Exception {
        ExecutorClient client = new ExecutorClient(address);
        for (long logId = 1; safe.size() < runs; logId++) {
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
                hear(line.split(" "));
            }
        } catch (IOException e) {
            // The process was killed.
        }
    }

    private void hear(String... words) {
        switch (words[0]) {
            case "began" -> {
                Long previous = begun.put(Integer.valueOf(words[1]), Long.valueOf(words[2]));
                if (previous != null) {
                    reported.add(previous);
                }
            }
            case "probing" -> probed = Set.copyOf(reported);
            case "probed" -> safe = probed;
            case "address" -> {
                address = URI.create(words[1]);
                started.countDown();
            }
            default -> {}
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
    public static void main(String[] arguments) throws Exception {
        Path directory = Path.of(arguments[1]);
        OrthExecutor executor = executor(arguments[0], directory, context -> {
            System.out.println("began " + context.jobId() + " " + context.logId());
            return RunResult.success("of run " + context.logId());
        });
        System.out.println("address " + executor.address());
        probe(directory.resolve("callbacklog"));
    }

    /**
     * Waits for three more files, again and again. A result that has been reported is in the file being written, or in one of the two
     * that the journal has room for. No file is deleted, as no admin responds.
     */
    private static void probe(Path callbackLog) throws IOException, InterruptedException {
        CountDownLatch never = new CountDownLatch(1);
        while (true) {
            System.out.println("probing");
            long files = files(callbackLog) + 3;
            while (files(callbackLog) < files) {
                never.await(5, TimeUnit.MILLISECONDS);
            }
            System.out.println("probed");
        }
    }

    private static long files(Path callbackLog) throws IOException {
        try (Stream<Path> files = Files.list(callbackLog)) {
            return files.filter(file -> file.toString().endsWith(".log")).count();
        }
    }
}
