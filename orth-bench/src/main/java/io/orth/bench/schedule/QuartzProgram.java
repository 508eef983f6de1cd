package io.orth.bench.schedule;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Date;
import java.util.Properties;
import org.quartz.CronScheduleBuilder;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;

/** Quartz as clusters use it: its job store in the database, triggers acquired in batches. */
public final class QuartzProgram {

    private static Sightings.Recorder recorder;

    private QuartzProgram() {}

    /** What each job does. */
    public static final class Seen implements Job {

        @Override
        public void execute(JobExecutionContext context) {
            recorder.saw(
                    Integer.parseInt(context.getJobDetail().getKey().getName()),
                    context.getScheduledFireTime().toInstant().toEpochMilli());
        }
    }

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.of(arguments);
        recorder = new Sightings.Recorder(options.seen());
        makeTables(options);
        Scheduler scheduler = new StdSchedulerFactory(properties(options)).getScheduler();
        for (int i = 1; i <= options.jobs(); i++) {
            JobDetail job = JobBuilder.newJob(Seen.class)
                    .withIdentity(Integer.toString(i))
                    .build();
            scheduler.scheduleJob(job, everySecond(options));
        }
        scheduler.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(scheduler)));
        options.sayReady();
    }

    private static Trigger everySecond(PeerOptions options) {
        return TriggerBuilder.newTrigger()
                .startAt(Date.from(options.first()))
                .withSchedule(
                        CronScheduleBuilder.cronSchedule("* * * * * ?").withMisfireHandlingInstructionIgnoreMisfires())
                .build();
    }

    private static Properties properties(PeerOptions options) {
        Properties properties = new Properties();
        properties.setProperty("org.quartz.scheduler.instanceId", "AUTO");
        properties.setProperty("org.quartz.scheduler.batchTriggerAcquisitionMaxCount", "50");
        properties.setProperty("org.quartz.threadPool.threadCount", Integer.toString(PeerOptions.THREADS));
        properties.setProperty("org.quartz.jobStore.class", "org.quartz.impl.jdbcjobstore.JobStoreTX");
        properties.setProperty(
                "org.quartz.jobStore.driverDelegateClass", "org.quartz.impl.jdbcjobstore.PostgreSQLDelegate");
        properties.setProperty("org.quartz.jobStore.isClustered", "true");
        properties.setProperty("org.quartz.jobStore.acquireTriggersWithinLock", "true");
        properties.setProperty("org.quartz.jobStore.dataSource", "bench");
        properties.setProperty("org.quartz.dataSource.bench.provider", "hikaricp");
        properties.setProperty("org.quartz.dataSource.bench.driver", "org.postgresql.Driver");
        properties.setProperty("org.quartz.dataSource.bench.URL", options.url());
        properties.setProperty("org.quartz.dataSource.bench.user", options.user());
        properties.setProperty("org.quartz.dataSource.bench.password", options.password());
        properties.setProperty(
                "org.quartz.dataSource.bench.maxConnections", Integer.toString(PeerOptions.THREADS + 10));
        return properties;
    }

    private static void makeTables(PeerOptions options) throws IOException, SQLException {
        try (InputStream in = Scheduler.class.getResourceAsStream("impl/jdbcjobstore/tables_postgres.sql");
                Connection connection = DriverManager.getConnection(options.url(), options.user(), options.password());
                Statement statement = connection.createStatement()) {
            statement.execute(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static void end(Scheduler scheduler) {
        try {
            scheduler.shutdown(true);
            recorder.close();
        } catch (SchedulerException | IOException e) {
            throw new IllegalStateException("Quartz cannot be stopped", e);
        }
    }
}
