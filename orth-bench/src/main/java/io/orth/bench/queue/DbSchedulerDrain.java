package io.orth.bench.queue;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;

/** db-scheduler with the settings its authors give for throughput, on as many one-time tasks. */
public final class DbSchedulerDrain {

    private static final String TASK = "message";

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

    private static final String FILL = """
            insert into scheduled_tasks (task_name, task_instance, execution_time, picked, version, priority)
            select 'message', ? || n, now(), false, 1, 0 from generate_series(1, ?) n
            """;

    private final HikariDataSource database;
    private volatile CountDownLatch left = new CountDownLatch(0);

    private DbSchedulerDrain(HikariDataSource database) {
        this.database = database;
    }

    public static void main(String[] arguments) throws Exception {
        PeerDatabase options = PeerDatabase.of(arguments);
        try (HikariDataSource database = options.connect()) {
            DbSchedulerDrain drain = new DbSchedulerDrain(database);
            drain.makeTable();
            drain.drain("warm-", options.warmUp());
            options.say(drain.drain("m-", options.messages()));
        }
    }

    private void makeTable() throws Exception {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(TABLE);
        }
    }

    private double drain(String prefix, int tasks) throws Exception {
        try (Connection connection = database.getConnection();
                PreparedStatement fill = connection.prepareStatement(FILL)) {
            fill.setString(1, prefix);
            fill.setInt(2, tasks);
            fill.execute();
        }
        left = new CountDownLatch(tasks);
        OneTimeTask<Void> task = Tasks.oneTime(TASK).execute((instance, context) -> left.countDown());
        Scheduler scheduler = Scheduler.create(database, task)
                .threads(PeerDatabase.THREADS)
                .pollingInterval(Duration.ofMillis(100))
                .pollUsingLockAndFetch(1.0, 4.0)
                .build();
        Instant begin = Instant.now();
        scheduler.start();
        left.await();
        double seconds = Duration.between(begin, Instant.now()).toMillis() / 1000.0;
        scheduler.stop();
        return tasks / seconds;
    }
}
