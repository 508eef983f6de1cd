package io.orth.bench.queue;

import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jobrunr.configuration.JobRunr;
import org.jobrunr.configuration.JobRunrConfiguration.JobRunrConfigurationResult;
import org.jobrunr.jobs.lambdas.JobRequest;
import org.jobrunr.jobs.lambdas.JobRequestHandler;
import org.jobrunr.scheduling.JobRequestScheduler;
import org.jobrunr.server.BackgroundJobServerConfiguration;
import org.jobrunr.storage.sql.postgres.PostgresStorageProvider;

/**
 * JobRunr's free form on as many jobs: it asks as often as it allows for PostgreSQL, and again when a worker is free. Measured from
 * the first job's begin to the last one's end, so that it is not counted how long it waits to ask for the first time.
 */
public final class JobRunrDrain {

    /** The least that it takes for SQL. */
    private static final Duration POLL = Duration.ofSeconds(5);

    private static final int ENQUEUED_AT_ONCE = 1_000;

    private static final AtomicLong begun = new AtomicLong();
    private static volatile CountDownLatch left = new CountDownLatch(0);

    private JobRunrDrain() {}

    /** A message. */
    public record Message(int number) implements JobRequest {

        @Override
        public Class<Nothing> getJobRequestHandler() {
            return Nothing.class;
        }
    }

    /** What is done with one. */
    public static final class Nothing implements JobRequestHandler<Message> {

        @Override
        public void run(Message message) {
            begun.compareAndSet(0, System.nanoTime());
            left.countDown();
        }
    }

    public static void main(String[] arguments) throws Exception {
        PeerDatabase options = PeerDatabase.of(arguments);
        try (HikariDataSource database = options.connect()) {
            JobRunrConfigurationResult jobRunr = JobRunr.configure()
                    .useStorageProvider(new PostgresStorageProvider(database))
                    .useBackgroundJobServer(
                            BackgroundJobServerConfiguration.usingStandardBackgroundJobServerConfiguration()
                                    .andPollInterval(POLL)
                                    .andWorkerCount(PeerDatabase.THREADS),
                            false)
                    .initialize();
            enqueue(jobRunr.getJobRequestScheduler(), options.warmUp());
            jobRunr.getBackgroundJobServer().start();
            left.await();
            jobRunr.getBackgroundJobServer().pauseProcessing();
            enqueue(jobRunr.getJobRequestScheduler(), options.messages());
            jobRunr.getBackgroundJobServer().resumeProcessing();
            left.await();
            options.say(options.messages() * 1e9 / (System.nanoTime() - begun.get()));
            JobRunr.destroy();
        }
    }

    private static void enqueue(JobRequestScheduler scheduler, int messages) {
        left = new CountDownLatch(messages);
        begun.set(0);
        for (int from = 0; from < messages; from += ENQUEUED_AT_ONCE) {
            scheduler.enqueue(IntStream.range(from, Math.min(messages, from + ENQUEUED_AT_ONCE))
                    .mapToObj(Message::new));
        }
    }
}
