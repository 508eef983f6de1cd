package io.orth.admin.queue;

import io.orth.admin.kernel.ClusterLease;
import io.orth.admin.kernel.LeasedDuty;
import io.orth.admin.kernel.Loops;
import io.orth.admin.kernel.Node;
import io.orth.admin.kernel.Signals;
import io.orth.runtime.Duty;
import io.orth.runtime.LoopTiming;
import io.orth.runtime.PeriodicLoop;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Wires the intake of messages that applications push, and of completions that they make, inside their own transactions. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    /** Fallback for lost notifications. */
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private static final Duration LEASE = Duration.ofSeconds(10);

    @Bean
    PeriodicLoop inboxLoop(
            Loops loops, InboxIntake intake, JdbcClient jdbc, QueueDriver driver, Node node, Signals signals) {
        return loop(loops, "inbox-intake", alone(intake, jdbc, driver, node), signals, Inbox.CHANNEL);
    }

    @Bean
    PeriodicLoop completionLoop(Loops loops, CompletionIntake intake, Signals signals) {
        return loop(loops, "completion-intake", intake, signals, CompletionIntake.CHANNEL);
    }

    private static PeriodicLoop loop(Loops loops, String name, Duty duty, Signals signals, String channel) {
        PeriodicLoop loop = loops.add(name, LoopTiming.every(LOOK_EVERY), duty);
        signals.on(channel, any -> loop.wake());
        return loop;
    }

    /**
     * Ensures that one node at a time processes a queue. If the driver joins transactions, the lock on the queue's row is sufficient.
     * Otherwise a lease selects one node for all queues. If that node continues after its lease has expired, its pushes have the same
     * idempotency keys as those of its successor and add nothing.
     */
    static Duty alone(InboxIntake intake, JdbcClient jdbc, QueueDriver driver, Node node) {
        return driver.joinsTransactions()
                ? intake
                : new LeasedDuty(new ClusterLease(jdbc, "inbox-intake", node, LEASE), term -> intake.run());
    }

    @Bean
    Inbox inbox(JdbcClient jdbc, PeriodicLoop inboxLoop) {
        return new Inbox(jdbc, inboxLoop::wake);
    }
}
