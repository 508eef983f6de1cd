package io.orth.admin.alarm;

import io.orth.admin.alarm.AlarmRepository.Due;
import io.orth.admin.kernel.RetryDecision;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends due alarms, each on its own thread, so that a slow channel does not delay others. */
final class AlarmSender implements Duty {

    private static final Logger log = LoggerFactory.getLogger(AlarmSender.class);
    private static final int BATCH = 8;

    private final AlarmRepository alarms;
    private final ChannelRepository channels;
    private final AlarmPost post;
    private final Executor senders;
    private final Transactions transactions;
    private final AlarmProperties properties;
    private final SystemLog systemLog;

    AlarmSender(
            AlarmRepository alarms,
            ChannelRepository channels,
            AlarmPost post,
            Executor senders,
            Transactions transactions,
            AlarmProperties properties,
            SystemLog systemLog) {
        this.alarms = alarms;
        this.channels = channels;
        this.post = post;
        this.senders = senders;
        this.transactions = transactions;
        this.properties = properties;
        this.systemLog = systemLog;
    }

    @Override
    public Pass run() {
        List<Due> due = transactions.call(() -> alarms.takeDue(BATCH, properties.lease()));
        for (Due alarm : due) {
            try {
                senders.execute(() -> sendAndRecord(alarm));
            } catch (RejectedExecutionException e) {
                log.atWarn().addKeyValue("alarm", alarm.id()).log("no thread to send an alarm; later");
            }
        }
        return Pass.after(due.size(), BATCH);
    }

    /** Sends an alarm and records the result. If the result cannot be recorded, the alarm is sent again after its lease expires. */
    private void sendAndRecord(Due alarm) {
        try {
            channels.find(alarm.channelId()).ifPresent(channel -> send(alarm, channel));
        } catch (RuntimeException e) {
            log.atWarn()
                    .addKeyValue("alarm", alarm.id())
                    .setCause(e)
                    .log("what became of an alarm could not be recorded; it is sent again");
        }
    }

    private void send(Due alarm, Channel channel) {
        try {
            post.send(channel.spec(), alarm.id());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        } catch (IOException | RuntimeException e) {
            failed(alarm, channel, e);
            return;
        }
        // Outside of the try block: a failure to record a sent alarm must not mark it as failed.
        transactions.run(() -> alarms.sent(alarm));
    }

    private void failed(Due alarm, Channel channel, Exception failure) {
        String error = failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        RetryDecision decision = RetryDecision.next(properties.retry(), alarm.tries(), null, false);
        boolean forGood = !decision.isRetry();
        log.atWarn()
                .addKeyValue("alarm", alarm.id())
                .addKeyValue("channel", channel.spec().name())
                .addKeyValue("try", alarm.tries())
                .setCause(failure instanceof RuntimeException ? failure : null)
                .log(
                        forGood
                                ? "an alarm could not be sent: {}"
                                : "an alarm could not be sent, and is tried again: {}",
                        error);
        transactions.run(() -> {
            if (forGood) {
                alarms.failedForGood(alarm, error);
            } else {
                alarms.tryAgain(alarm, decision.delay(), error);
            }
        });
        if (forGood) {
            systemLog.error("alarm %d could not be sent to %s in %d tries and is given up: %s"
                    .formatted(alarm.id(), channel.spec().name(), alarm.tries(), error));
        }
    }
}
