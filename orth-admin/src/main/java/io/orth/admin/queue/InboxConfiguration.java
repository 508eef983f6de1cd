package io.orth.admin.queue;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Signals;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Takes messages that applications push, and completions that they make, inside their own transactions. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    /** Who puts something in says so; this is for when that is not heard. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofSeconds(10);

    @Bean
    PeriodicLoop inboxIntake(
            Loops loops,
            JdbcClient jdbc,
            Queues queues,
            QueueDriver driver,
            QueueSignals queueSignals,
            Transactions transactions,
            SystemLog systemLog,
            Signals signals,
            Node node) {
        InboxIntake intake = new InboxIntake(jdbc, queues, driver, queueSignals, transactions, systemLog);
        PeriodicLoop loop = loops.add("inbox-intake", LoopTiming.every(LOOK_EVERY), alone(intake, jdbc, driver, node));
        signals.on(Inbox.CHANNEL, any -> loop.wake());
        return loop;
    }

    @Bean
    PeriodicLoop completionIntake(
            Loops loops,
            JdbcClient jdbc,
            QueueDriver driver,
            QueueSignals queueSignals,
            Transactions transactions,
            SystemLog systemLog,
            Signals signals) {
        PeriodicLoop loop = loops.add(
                "completion-intake",
                LoopTiming.every(LOOK_EVERY),
                new CompletionIntake(jdbc, driver, queueSignals, transactions, systemLog));
        signals.on(CompletionIntake.CHANNEL, any -> loop.wake());
        return loop;
    }

    /**
     * One node at a time is at a queue. Where its row can be held until what was pushed is committed, that is enough. Elsewhere one
     * node is at all of them; what it pushes after its lease has run out was pushed by the next one under the same id.
     */
    static Duty alone(InboxIntake intake, JdbcClient jdbc, QueueDriver driver, Node node) {
        return driver.joinsTransactions()
                ? intake
                : new LeasedDuty(new ClusterLease(jdbc, "inbox-intake", node, LEASE), term -> intake.run());
    }

    @Bean
    Inbox inbox(JdbcClient jdbc, PeriodicLoop inboxIntake) {
        return new Inbox(jdbc, inboxIntake::wake);
    }
}
