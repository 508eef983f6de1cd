package io.orth.admin.scheduling;

import io.orth.admin.job.DueJobs;
import io.orth.admin.job.JobChanged;
import io.orth.admin.kernel.LoopTiming;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.PeriodicLoop;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.run.Runs;
import io.orth.admin.triggering.Triggers;
import java.time.Clock;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The scanner's loop, woken by changes of jobs. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(SchedulingProperties.class)
class SchedulingConfiguration {

    @Bean
    PeriodicLoop scheduleLoop(
            Loops loops,
            DueJobs dueJobs,
            Runs runs,
            Triggers triggers,
            Transactions transactions,
            Clock clock,
            SchedulingProperties properties) {
        ScheduleScanner scanner = new ScheduleScanner(dueJobs, runs, triggers, transactions, clock, properties);
        return loops.add("schedule-scanner", LoopTiming.every(properties.lookEvery()), scanner);
    }

    @Bean
    ApplicationListener<PayloadApplicationEvent<JobChanged>> wakeOnChange(PeriodicLoop scheduleLoop) {
        return event -> scheduleLoop.wake();
    }
}
