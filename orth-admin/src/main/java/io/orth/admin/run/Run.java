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
 * One execution of a job. The API shows it as it is.
 *
 * @param handler null where it runs its job's source
 * @param execution how its job was to be run when it was made
 * @param sourceVersion which version of its job's source it runs; null where it names a handler
 * @param kill that somebody wants it ended, null where nobody does
 * @param lineage which run it follows, if any
 * @param late what it reported too late to count; null where it did not
 * @param awaitsTurn whether it is not to be sent until the job's earlier fire is over, or ended as such
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

    /** As it is made; {@code parent} is null unless another run's success fired it. */
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

    /** Who wants a run ended, since when; {@code reason} is empty where none was given. */
    public record Kill(Instant at, String by, String reason) {

        /** As it stands in results. */
        public String words() {
            return reason.isEmpty() ? "killed by " + by : "killed by %s: %s".formatted(by, reason);
        }

        String words(String why) {
            return words() + "; " + why;
        }

        /** The executor's message, with who killed it where it does not say so itself. */
        String tell(String message) {
            if (message == null || message.isBlank()) {
                return words();
            }
            return message.contains(words()) ? message : "%s; %s".formatted(words(), message);
        }

        /** The same for an executor that reported a success after it had been sent the kill. */
        String tellOfSuccess(String message) {
            String reported = words() + "; afterwards its executor reported success";
            return message == null || message.isBlank() ? reported : "%s: %s".formatted(reported, message);
        }
    }

    public static List<Long> ids(Collection<Run> runs) {
        return runs.stream().map(Run::id).toList();
    }

    /** The dispatch that it is under; of no executor where it was not sent, or surely reached none. */
    public Fence fence() {
        return new Fence(executorId, dispatch);
    }

    /** Since when it may be sent. */
    public Instant sendableSince() {
        return lineage.notBefore() == null ? createdAt : lineage.notBefore();
    }

    /** The instant that stands in the trigger and picks the log file's day on the executor; it never changes. */
    public long logDateTime() {
        return createdAt.toEpochMilli();
    }
}
