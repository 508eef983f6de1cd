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

/** Takes messages that applications push, and completions that they make, inside their own transactions. */
@Configuration(proxyBeanMethods = false)
class InboxConfiguration {

    /** Notifications say what is new; this is for those that get lost. */
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
     * One node at a time is at a queue. Where its row can be held until what was pushed is committed, that is enough. Elsewhere one
     * node is at all of them; what it pushes after its lease has run out was pushed by the next one under the same id.
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
