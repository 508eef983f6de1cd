package io.orth.admin.run;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.job.Execution;
import io.orth.admin.kernel.Fence;
import io.orth.protocol.Codes;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/**
 * One execution of a job. The API returns it unchanged.
 *
 * @param handler null if the run executes its job's source
 * @param execution execution settings of the job when the run was created
 * @param sourceVersion version of the job's source that is executed; null if the job names a handler
 * @param kill the requested kill; null if there is none
 * @param lineage the run it follows, if any
 * @param late result that arrived too late to count; null if there is none
 * @param awaitsTurn whether the run must not be dispatched before the job's earlier fire is finished, or was finished in that state
 */
public record Run(
        long id,
        int jobId,
        String jobName,
        int groupId,
        String handler,
        String param,
        TriggerType triggerType,
        Instant scheduleTime,
        Instant createdAt,
        RunStatus status,
        RunCause cause,
        int triggerCode,
        String triggerMsg,
        int handleCode,
        String handleMsg,
        @JsonIgnore int dispatch,
        @JsonIgnore Long executorId,
        @JsonProperty("executorAddress") String address,
        Instant triggeredAt,
        Instant finishedAt,
        String traceId,
        @JsonUnwrapped Execution execution,
        @JsonIgnore Integer sourceVersion,
        Kill kill,
        @JsonUnwrapped Route route,
        @JsonUnwrapped Lineage lineage,
        LateResult late,
        @JsonProperty("alarmStatus") RunAlarm alarm,
        @JsonIgnore boolean awaitsTurn) {

    /** Returns a newly created run; {@code parent} is null unless another run's success fired it. */
    static Run unsent(long id, NewRun made, Long parent, Instant createdAt) {
        return new Run(
                id,
                made.jobId(),
                made.jobName(),
                made.groupId(),
                made.handler(),
                made.param(),
                made.type(),
                made.scheduleTime(),
                createdAt,
                RunStatus.INIT,
                RunCause.CREATED,
                Codes.NONE,
                null,
                Codes.NONE,
                null,
                0,
                null,
                null,
                null,
                null,
                made.traceId(),
                made.execution(),
                made.sourceVersion(),
                null,
                made.route(),
                parent == null ? Lineage.FIRST : new Lineage(1, null, null, parent, null),
                null,
                RunAlarm.UNDECIDED,
                made.execution().takesTurns());
    }

    /** A requested kill: by whom and when; {@code reason} is empty if none was given. */
    public record Kill(Instant at, String by, String reason) {

        /** Returns the text used in results. */
        public String words() {
            return reason.isEmpty() ? "killed by " + by : "killed by %s: %s".formatted(by, reason);
        }

        String words(String why) {
            return words() + "; " + why;
        }

        /** Returns the executor's message, with the kill added if the message does not mention it. */
        String tell(String message) {
            if (message == null || message.isBlank()) {
                return words();
            }
            return message.contains(words()) ? message : "%s; %s".formatted(words(), message);
        }

        /** Like {@link #tell}, for an executor that reported a success after the kill was sent to it. */
        String tellOfSuccess(String message) {
            String reported = words() + "; afterwards its executor reported success";
            return message == null || message.isBlank() ? reported : "%s: %s".formatted(reported, message);
        }
    }

    public static List<Long> ids(Collection<Run> runs) {
        return runs.stream().map(Run::id).toList();
    }

    /** Returns the fence of the current dispatch; without executor if the run was not dispatched, or certainly reached none. */
    public Fence fence() {
        return new Fence(executorId, dispatch);
    }

    /** Returns the time since which the run may be dispatched. */
    public Instant sendableSince() {
        return lineage.notBefore() == null ? createdAt : lineage.notBefore();
    }

    /** Returns the timestamp sent in the trigger, which selects the log file's day on the executor; it never changes. */
    public long logDateTime() {
        return createdAt.toEpochMilli();
    }
}
