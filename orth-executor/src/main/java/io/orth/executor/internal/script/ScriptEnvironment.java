package io.orth.executor.internal.script;

import io.orth.executor.OrthJobContext;
import io.orth.executor.ScriptLanguage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Map;

/**
 * The environment variables of a script: those of the executor without its secrets, and those that describe the run.
 *
 * @param secret the access token; a variable that contains it is not passed on, whatever its name
 * @param zone time zone of formatted times
 */
record ScriptEnvironment(String secret, ZoneId zone) {

    /** Identifies the run that a process came from; see {@link ProcessTree}. */
    static final String TAG = "ORTH_PROCESS_TAG";

    /** Fixed width with a numeric offset, which the parsers of all languages accept. */
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSxxx", Locale.ROOT);

    private static final String OURS = "ORTH";

    /** Changes the executor's own variables into those of a run. */
    void apply(Map<String, String> variables, ScriptLanguage language, OrthJobContext context, String tag) {
        variables
                .entrySet()
                .removeIf(variable ->
                        isOurs(variable.getKey()) || variable.getValue().contains(secret));
        String logId = Long.toString(context.logId());
        String scheduleTime = context.scheduleTime() == null ? "" : time(context.scheduleTime());
        String triggerTime = time(context.triggerTime());
        String shardIndex = Integer.toString(context.shardIndex());
        String shardTotal = Integer.toString(context.shardTotal());
        variables.put("ORTH_JOB_ID", Integer.toString(context.jobId()));
        variables.put("ORTH_JOB_PARAM", context.param());
        variables.put("ORTH_JOB_LOG_ID", logId);
        variables.put("ORTH_JOB_SCHEDULE_TIME", scheduleTime);
        variables.put("ORTH_JOB_TRIGGER_TIME", triggerTime);
        variables.put("ORTH_JOB_SHARD_INDEX", shardIndex);
        variables.put("ORTH_JOB_SHARD_TOTAL", shardTotal);
        variables.put("ORTH_LOG_ID", logId);
        variables.put("ORTH_SCHEDULE_TIME", scheduleTime);
        variables.put("ORTH_TRIGGER_TIME", triggerTime);
        variables.put("ORTH_SHARD_INDEX", shardIndex);
        variables.put("ORTH_SHARD_TOTAL", shardTotal);
        variables.put(TAG, tag);
        if (language == ScriptLanguage.PYTHON || language == ScriptLanguage.PYTHON2) {
            // Python buffers output that does not go to a terminal; the log should show lines immediately.
            variables.putIfAbsent("PYTHONUNBUFFERED", "1");
        }
    }

    /** Matches Orth's settings in all spellings that Spring accepts. */
    private static boolean isOurs(String name) {
        return name.regionMatches(true, 0, OURS, 0, OURS.length())
                && name.length() > OURS.length()
                && !Character.isLetterOrDigit(name.charAt(OURS.length()));
    }

    private String time(Instant instant) {
        return TIME.format(instant.atZone(zone));
    }
}
