package io.orth.admin.xxlimport;

import io.orth.admin.job.JobSpec;
import io.orth.admin.job.Schedule;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Comparison of an Orth job with an XXL-JOB job of the same name: both must run the same at the same times. */
final class SameJob {

    private SameJob() {}

    /** Describes the differences; {@code sameSource} says whether their source texts are equal. */
    static List<String> differences(JobSpec here, JobSpec there, boolean sameSource) {
        List<String> differences = new ArrayList<>();
        if (here.execution().glue() != there.execution().glue()) {
            differences.add("it runs %s here, %s there"
                    .formatted(here.execution().glue(), there.execution().glue()));
        } else if (!Objects.equals(here.handler(), there.handler())) {
            differences.add("its handler is '%s' here, '%s' there".formatted(here.handler(), there.handler()));
        } else if (!sameSource) {
            differences.add("its source is another text");
        }
        if (!here.param().equals(there.param())) {
            differences.add("its parameter is '%s' here, '%s' there"
                    .formatted(Text.shown(here.param()), Text.shown(there.param())));
        }
        if (!here.schedule().equals(there.schedule())) {
            differences.add(
                    "its schedule is %s here, %s there".formatted(words(here.schedule()), words(there.schedule())));
        }
        return differences;
    }

    private static String words(Schedule schedule) {
        if (schedule instanceof Schedule.None) {
            return "none";
        }
        if (schedule instanceof Schedule.FixedRate rate) {
            return "every " + rate.interval();
        }
        if (schedule instanceof Schedule.FixedDelay delay) {
            return delay.interval() + " after each run";
        }
        return schedule instanceof Schedule.Cron cron ? cron.toString() : "another kind";
    }
}
