package io.orth.standalone;

import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.OrthQueue;
import io.orth.executor.QueueMessage;
import io.orth.executor.RunResult;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Handlers for trying out Orth. They write only to their own log. */
final class SampleHandlers {

    private static final int DEFAULT_STEPS = 20;
    private static final int MAX_STEPS = 10_000;
    private static final int STEP_MILLIS = 500;
    private static final int SLOW_SECONDS = 25;

    /** Reports its progress every half second, as many times as the parameter says. */
    @OrthJob("sample.countdown")
    RunResult countdown(OrthJobContext context) throws InterruptedException {
        int steps = steps(context.param());
        CountDownLatch never = new CountDownLatch(1);
        for (int left = steps; left > 0; left--) {
            OrthJobHelper.progress(100 * (steps - left) / steps, left + " to go");
            // A timed wait that ends immediately when the run is interrupted.
            never.await(STEP_MILLIS, TimeUnit.MILLISECONDS);
        }
        OrthJobHelper.log("lift-off");
        return RunResult.success("counted down from " + steps);
    }

    /** Prints a few lines, then fails with an exception that has a cause, as real jobs do. */
    @OrthJob("sample.failing")
    void failing(OrthJobContext context) {
        OrthJobHelper.log("run {} of job {} has begun", context.logId(), context.jobId());
        OrthJobHelper.log("reading the order list");
        try {
            readOrders();
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("the order list could not be imported", e);
        }
    }

    /** A sign of life, meant for a schedule. */
    @OrthJob("sample.heartbeat")
    RunResult heartbeat(OrthJobContext context) {
        OrthJobHelper.log(
                "alive; planned for {}, shard {} of {}",
                context.scheduleTime() == null ? "now, by hand" : context.scheduleTime(),
                context.shardIndex(),
                context.shardTotal());
        return RunResult.success("alive");
    }

    /** A handler with a declared job: the admin creates the job when the executor registers. */
    @OrthJob(value = "sample.nightly", job = "Nightly check", cron = "0 0 3 * * ?", zone = "UTC", maxAttempts = 3)
    RunResult nightly() {
        OrthJobHelper.log("this job is declared in code, with its schedule");
        return RunResult.success("all is well");
    }

    /** Pretends to send the payload as an email. A payload that contains "slow" takes longer; one that contains "fail" fails. */
    @OrthQueue(value = "sample-emails", concurrency = 4, timeout = "30s")
    RunResult email(OrthJobContext context) throws InterruptedException {
        QueueMessage message = context.message().orElseThrow();
        OrthJobHelper.log(
                "message {}, attempt {} of {}: sending '{}'",
                message.id(),
                message.attempt(),
                message.maxAttempts(),
                context.param());
        if (context.param().contains("slow")) {
            new CountDownLatch(1).await(SLOW_SECONDS, TimeUnit.SECONDS);
        }
        if (context.param().contains("fail")) {
            throw new IllegalStateException("the mail server said no");
        }
        return RunResult.success("sent");
    }

    private static void readOrders() {
        OrthJobHelper.log("line 3 looks wrong");
        throw new IllegalArgumentException("line 3: 'twelve' is not a quantity");
    }

    private static int steps(String param) {
        if (param.isBlank()) {
            return DEFAULT_STEPS;
        }
        try {
            int steps = Integer.parseInt(param.strip());
            if (steps >= 0 && steps <= MAX_STEPS) {
                return steps;
            }
        } catch (NumberFormatException e) {
            // Reported below.
        }
        throw new IllegalArgumentException(
                "the parameter must be a number of steps from 0 to %d, got '%s'".formatted(MAX_STEPS, param));
    }
}
