package io.orth.admin.queue;

import io.orth.admin.kernel.LoopTiming;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.PeriodicLoop;
import io.orth.admin.kernel.Signals;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Takes what applications push inside their own transactions. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    /** Who puts something in says so; this is for when that is not heard. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    @Bean
    PeriodicLoop inboxIntake(
            Loops loops,
            JdbcClient jdbc,
            Queues queues,
            QueueDriver driver,
            QueueSignals queueSignals,
            Transactions transactions,
            SystemLog systemLog,
            Signals signals) {
        InboxIntake intake = new InboxIntake(jdbc, queues, driver, queueSignals, transactions, systemLog);
        PeriodicLoop loop = loops.add("inbox-intake", LoopTiming.every(LOOK_EVERY), intake);
        signals.on(Inbox.CHANNEL, any -> loop.wake());
        return loop;
    }

    @Bean
    Inbox inbox(JdbcClient jdbc, PeriodicLoop inboxIntake) {
        return new Inbox(jdbc, inboxIntake::wake);
    }
}
