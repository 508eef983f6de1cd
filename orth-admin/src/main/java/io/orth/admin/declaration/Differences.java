package io.orth.admin.declaration;

import io.orth.admin.job.JobSpec;
import io.orth.admin.job.ScheduleColumns;
import io.orth.admin.kernel.RetryPolicy;
import io.orth.protocol.GlueType;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Field-by-field comparison of a job with its declaration. */
final class Differences {

    private Differences() {}

    static List<Difference> between(JobSpec declared, JobSpec actual) {
        Map<String, String> one = fields(declared);
        Map<String, String> other = fields(actual);
        return one.keySet().stream()
                .filter(field -> !Objects.equals(one.get(field), other.get(field)))
                .map(field -> new Difference(field, one.get(field), other.get(field)))
                .toList();
    }

    /** Returns all declarable fields by their API names. */
    private static Map<String, String> fields(JobSpec spec) {
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("name", spec.name());
        fields.put("groupId", Integer.toString(spec.groupId()));
        fields.put("handler", spec.handler());
        GlueType glue = spec.execution().glue();
        fields.put("glue.type", glue == GlueType.BEAN ? null : glue.name());
        fields.put("param", spec.param());
        addSchedule(fields, ScheduleColumns.of(spec.schedule()));
        fields.put("misfire", spec.misfire().name());
        fields.put("blockStrategy", spec.execution().block().name());
        fields.put("blockScope", spec.execution().scope().name());
        fields.put("concurrency", Integer.toString(spec.execution().concurrency()));
        fields.put("timeoutSeconds", Integer.toString(spec.execution().timeoutSeconds()));
        fields.put("routing", spec.routing().strategy().name());
        RetryPolicy retry = spec.after().retry();
        fields.put("maxAttempts", Integer.toString(retry.maxAttempts()));
        fields.put("backoff.initialDelay", retry.backoff().initialDelay().toString());
        fields.put("backoff.multiplier", Double.toString(retry.backoff().multiplier()));
        fields.put("backoff.maxDelay", retry.backoff().maxDelay().toString());
        fields.put("backoff.jitter", Double.toString(retry.backoff().jitter()));
        return fields;
    }

    private static void addSchedule(Map<String, String> fields, ScheduleColumns schedule) {
        fields.put("schedule.type", schedule.type());
        fields.put("schedule.cron", schedule.cron());
        fields.put("schedule.zone", schedule.zone());
        Long interval = schedule.intervalMillis();
        fields.put(
                "schedule.interval",
                interval == null ? null : Duration.ofMillis(interval).toString());
        fields.put("schedule.at", Objects.toString(schedule.at(), null));
        fields.put("schedule.start", Objects.toString(schedule.start(), null));
        fields.put("schedule.end", Objects.toString(schedule.end(), null));
    }
}
