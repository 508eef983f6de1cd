package io.orth.sample;

import io.orth.executor.OrthJob;
import io.orth.executor.OrthJobContext;
import io.orth.executor.OrthJobHelper;
import io.orth.executor.RunResult;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import org.springframework.stereotype.Component;

/** Two jobs of a made-up billing department. */
@Component
class ReportJobs {

    /** Greets whoever the parameter names. The simplest form: take the parameter, return nothing, and it is a success. */
    @OrthJob("hello")
    void hello(String name) {
        OrthJobHelper.log("hello, {}", name.isBlank() ? "world" : name);
    }

    /**
     * Makes the report of the day the run was planned for, not of the day it happens to run on, so that a late or repeated
     * run gives the same report. With several shards, each makes its part. The job is declared here too, so that nobody has to
     * make it in the console; its schedule is a setting.
     */
    @OrthJob(value = "daily-report", cron = "${sample.daily-report.cron}", zone = "UTC", timeout = "10m", maxAttempts = 3)
    RunResult dailyReport(OrthJobContext context) {
        Instant planned = context.scheduleTime() == null ? context.triggerTime() : context.scheduleTime();
        LocalDate day = planned.atZone(ZoneOffset.UTC).toLocalDate().minusDays(1);
        OrthJobHelper.log(
                "making the report of {}, part {} of {}", day, context.shardIndex() + 1, context.shardTotal());
        return RunResult.success("report of %s is done".formatted(day));
    }
}
