package io.orth.protocol;

import java.util.Map;

/**
 * A job declared in an executor's code. Strategies are sent as text, so that an admin can reject an unknown one without rejecting the
 * whole message.
 *
 * @param name unique in the executor's group
 * @param schedule null if the job is fired only manually and by the API
 */
public record DeclaredJob(String name, String handler, String param, Schedule schedule, Rules rules)
        implements WireMessage {

    /**
     * Schedule of a job.
     *
     * @param type {@code CRON}, {@code FIXED_RATE} or {@code FIXED_DELAY}
     * @param cron null unless the type is {@code CRON}
     * @param zone null unless the type is {@code CRON}
     * @param intervalMillis null if the type is {@code CRON}
     */
    public record Schedule(String type, String cron, String zone, Long intervalMillis) implements WireMessage {

        static Schedule from(JsonObject json) {
            return new Schedule(
                    json.requiredText("type"),
                    json.text("cron"),
                    json.text("zone"),
                    json.optionalNumber("intervalMillis").orElse(null));
        }

        @Override
        public Map<String, Object> toJson() {
            return new Fields()
                    .put("type", type)
                    .put("cron", cron)
                    .put("zone", zone)
                    .put("intervalMillis", intervalMillis)
                    .toMap();
        }
    }

    /**
     * Execution settings of a job. Null selects the admin's default.
     *
     * @param blockScope {@code EXECUTOR} or {@code CLUSTER}: where the job counts as busy
     * @param misfire the misfire policy
     * @param maxAttempts total attempts, the first included
     */
    public record Rules(
            String misfire,
            String blockStrategy,
            String blockScope,
            int concurrency,
            int timeoutSeconds,
            String routing,
            int maxAttempts,
            BackoffMillis backoff) {

        public static final Rules DEFAULT = new Rules(null, null, null, 1, 0, null, 1, null);
    }

    public static DeclaredJob from(JsonObject json) {
        return new DeclaredJob(
                json.requiredText("name"),
                json.requiredText("handler"),
                json.text("param", ""),
                json.object("schedule").map(Schedule::from).orElse(null),
                new Rules(
                        json.text("misfire"),
                        json.text("blockStrategy"),
                        json.text("blockScope"),
                        json.integer("concurrency", 1),
                        json.integer("timeoutSeconds", 0),
                        json.text("routing"),
                        json.integer("maxAttempts", 1),
                        json.object("backoff").map(BackoffMillis::from).orElse(null)));
    }

    @Override
    public Map<String, Object> toJson() {
        return new Fields()
                .put("name", name)
                .put("handler", handler)
                .put("param", param)
                .put("schedule", schedule == null ? null : schedule.toJson())
                .put("misfire", rules.misfire())
                .put("blockStrategy", rules.blockStrategy())
                .put("blockScope", rules.blockScope())
                .put("concurrency", rules.concurrency())
                .put("timeoutSeconds", rules.timeoutSeconds())
                .put("routing", rules.routing())
                .put("maxAttempts", rules.maxAttempts())
                .put("backoff", rules.backoff() == null ? null : rules.backoff().toJson())
                .toMap();
    }
}
