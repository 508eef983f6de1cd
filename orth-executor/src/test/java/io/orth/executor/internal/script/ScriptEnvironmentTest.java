package io.orth.executor.internal.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.orth.executor.OrthJobContext;
import io.orth.executor.ScriptLanguage;
import java.time.Instant;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ScriptEnvironmentTest {

    private static final Instant PLANNED = Instant.parse("2030-01-01T12:00:00Z");
    private static final Instant TRIGGERED = Instant.parse("2030-01-01T12:00:00.125Z");

    private final Map<String, String> variables = new HashMap<>();

    @Test
    @Tag("must-executor")
    void describesTheRun() {
        apply(ScriptLanguage.SHELL, new OrthJobContext(7, "a b", 1001, PLANNED, TRIGGERED, 2, 5, "trace"));

        assertThat(variables)
                .containsOnly(
                        Map.entry("ORTH_JOB_ID", "7"),
                        Map.entry("ORTH_JOB_PARAM", "a b"),
                        Map.entry("ORTH_JOB_LOG_ID", "1001"),
                        Map.entry("ORTH_JOB_SCHEDULE_TIME", "2030-01-01T13:00:00.000+01:00"),
                        Map.entry("ORTH_JOB_TRIGGER_TIME", "2030-01-01T13:00:00.125+01:00"),
                        Map.entry("ORTH_JOB_SHARD_INDEX", "2"),
                        Map.entry("ORTH_JOB_SHARD_TOTAL", "5"),
                        Map.entry("ORTH_LOG_ID", "1001"),
                        Map.entry("ORTH_SCHEDULE_TIME", "2030-01-01T13:00:00.000+01:00"),
                        Map.entry("ORTH_TRIGGER_TIME", "2030-01-01T13:00:00.125+01:00"),
                        Map.entry("ORTH_SHARD_INDEX", "2"),
                        Map.entry("ORTH_SHARD_TOTAL", "5"),
                        Map.entry("ORTH_PROCESS_TAG", "tag"));
    }

    @Test
    @Tag("must-executor")
    void theScheduleTimeOfAManualRunIsEmpty() {
        apply(ScriptLanguage.SHELL, context(null));

        assertThat(variables).containsEntry("ORTH_JOB_SCHEDULE_TIME", "").containsEntry("ORTH_SCHEDULE_TIME", "");
    }

    @Test
    void theExecutorsSecretsStayBehind() {
        variables.put("ORTH_EXECUTOR_ACCESS_TOKEN", "s3cret");
        variables.put("orth.executor.access-token", "other");
        variables.put("Orth_Executor_AccessToken", "other");
        variables.put("SPRING_APPLICATION_JSON", "{\"orth\":{\"executor\":{\"access-token\":\"s3cret\"}}}");
        variables.put("ORTHODOX", "stays");
        variables.put("PATH", "/usr/bin");

        apply(ScriptLanguage.SHELL, context(PLANNED));

        assertThat(variables)
                .containsEntry("PATH", "/usr/bin")
                .containsEntry("ORTHODOX", "stays")
                .doesNotContainKeys(
                        "ORTH_EXECUTOR_ACCESS_TOKEN",
                        "orth.executor.access-token",
                        "Orth_Executor_AccessToken",
                        "SPRING_APPLICATION_JSON");
    }

    @Test
    void pythonOutputIsUnbufferedUnlessConfigured() {
        apply(ScriptLanguage.PYTHON, context(PLANNED));
        assertThat(variables).containsEntry("PYTHONUNBUFFERED", "1");

        variables.put("PYTHONUNBUFFERED", "");
        apply(ScriptLanguage.PYTHON, context(PLANNED));
        assertThat(variables).containsEntry("PYTHONUNBUFFERED", "");
    }

    private void apply(ScriptLanguage language, OrthJobContext context) {
        new ScriptEnvironment("s3cret", ZoneId.of("Europe/Berlin")).apply(variables, language, context, "tag");
    }

    private static OrthJobContext context(Instant scheduleTime) {
        return new OrthJobContext(7, "", 1001, scheduleTime, TRIGGERED, 0, 1, null);
    }
}
