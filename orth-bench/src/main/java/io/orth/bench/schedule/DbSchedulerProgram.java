package io.orth.bench.schedule;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.RecurringTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** db-scheduler with the settings its authors give for throughput: it fetches with locks, and a good many at a time. */
public final class DbSchedulerProgram {

    private static final String TABLE = """
            create table scheduled_tasks (
                task_name text not null, task_instance text not null, task_data bytea,
                execution_time timestamp with time zone not null, picked boolean not null, picked_by text,
                last_success timestamp with time zone, last_failure timestamp with time zone, consecutive_failures int,
                last_heartbeat timestamp with time zone, version bigint not null, priority smallint,
                primary key (task_name, task_instance));
            create index execution_time_idx on scheduled_tasks (execution_time);
            create index last_heartbeat_idx on scheduled_tasks (last_heartbeat);
            """;

    private DbSchedulerProgram() {}

    public static void main(String[] arguments) throws Exception {
        PeerOptions options = PeerOptions.of(arguments);
        Sightings.Recorder recorder = new Sightings.Recorder(options.seen());
        HikariDataSource dataSource = options.dataSource();
        try (Connection connection = dataSource.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
        Scheduler scheduler = Scheduler.create(dataSource)
                .startTasks(tasks(options.jobs(), recorder))
                .threads(PeerOptions.THREADS)
                .pollingInterval(Duration.ofMillis(100))
                .pollUsingLockAndFetch(1.0, 4.0)
                .build();
        scheduler.start();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(scheduler, recorder, dataSource)));
        options.sayReady();
    }

    private static List<RecurringTask<Void>> tasks(int jobs, Sightings.Recorder recorder) {
        List<RecurringTask<Void>> tasks = new ArrayList<>();
        for (int i = 1; i <= jobs; i++) {
            int job = i;
            tasks.add(Tasks.recurring("job-" + job, new WholeSecond())
                    .execute((instance, context) -> recorder.saw(
                            job, context.getExecution().getExecutionTime().toEpochMilli())));
        }
        return tasks;
    }

    private static void end(Scheduler scheduler, Sightings.Recorder recorder, HikariDataSource dataSource) {
        scheduler.stop();
        dataSource.close();
        try {
            recorder.close();
        } catch (java.io.IOException e) {
            throw new IllegalStateException("the benchmark cannot write down what it saw", e);
        }
    }
}
