package io.orth.admin.queue;

import io.orth.admin.queue.QueueDriver.Released;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Requeues messages whose executor died or went offline before reporting a result. */
final class MessageRescuer implements Duty {

    private static final Logger log = LoggerFactory.getLogger(MessageRescuer.class);
    private static final int BATCH = 500;

    private final QueueDriver driver;
    private final SystemLog systemLog;
    private final Duration deregistrationGrace;
    private final Duration retryDelay;

    MessageRescuer(QueueDriver driver, SystemLog systemLog, Duration deregistrationGrace, Duration retryDelay) {
        this.driver = driver;
        this.systemLog = systemLog;
        this.deregistrationGrace = deregistrationGrace;
        this.retryDelay = retryDelay;
    }

    @Override
    public Pass run() {
        driver.release(BATCH, deregistrationGrace, retryDelay).forEach(this::tell);
        return Pass.DRAINED;
    }

    private void tell(Released released) {
        log.atInfo()
                .addKeyValue("queue", released.queue())
                .addKeyValue("executor", released.instanceId())
                .addKeyValue("messages", released.messages())
                .log("put back messages whose executor is gone");
        systemLog.publish(
                LogLevel.WARN,
                "%d messages of queue %s go back: their executor is gone"
                        .formatted(released.messages(), released.queue()),
                released.instanceId(),
                released.queue());
    }
}
