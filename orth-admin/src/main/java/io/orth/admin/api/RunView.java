package io.orth.admin.api;

import io.orth.admin.run.LateResult;
import io.orth.admin.run.Run;
import java.time.Instant;

/**
 * A run as the API shows it.
 *
 * @param handler null where {@code glue} ran
 * @param glue which version of the job's source ran; null where a handler did
 * @param shardIndex which part of a broadcast it is, from 0; 0 where it is no part
 * @param shardTotal how many parts there are; 1 where it is no part
 * @param kill that somebody wants it ended, or had it ended; null where nobody did
 * @param attempt 1 for what is no retry
 * @param attempts how many there were to be when it was made; null for what is no retry
 * @param retryOf the failed run it repeats; null where it is no retry
 * @param parentRun the run whose success fired it; null where none did
 * @param notBefore it is not sent before this instant; null for at once
 * @param alarmStatus the code of a {@link io.orth.admin.run.RunAlarm}
 * @param late what it reported after it had been judged lost and its retry had been sent; else null
 */
record RunView(
        String id,
        String jobId,
        String jobName,
        String groupId,
        String groupName,
        String handler,
        String param,
        String status,
        int triggerCode,
        int handleCode,
        String triggerMsg,
        String handleMsg,
        String cause,
        String triggerType,
        Instant scheduleTime,
        Instant createdAt,
        Instant triggeredAt,
        Instant finishedAt,
        String executorAddress,
        String traceId,
        String blockStrategy,
        String blockScope,
        int concurrency,
        int timeoutSeconds,
        String routing,
        int shardIndex,
        int shardTotal,
        GlueView glue,
        Run.Kill kill,
        int attempt,
        Integer attempts,
        String retryOf,
        String parentRun,
        Instant notBefore,
        LateView late,
        int alarmStatus) {

    /** A result that came too late to count. */
    record LateView(int handleCode, String handleMsg, Instant at) {

        static LateView of(LateResult late) {
            return late == null ? null : new LateView(late.code(), late.message(), late.at());
        }
    }

    private static String text(Long id) {
        return id == null ? null : Long.toString(id);
    }

    /** {@code groupName} is null where the group is gone. */
    static RunView of(Run run, String groupName) {
        return new RunView(
                Long.toString(run.id()),
                Integer.toString(run.jobId()),
                run.jobName(),
                Integer.toString(run.groupId()),
                groupName,
                run.handler(),
                run.param(),
                run.status().name(),
                run.triggerCode(),
                run.handleCode(),
                run.triggerMsg(),
                run.handleMsg(),
                run.cause().name(),
                run.triggerType().name(),
                run.scheduleTime(),
                run.createdAt(),
                run.triggeredAt(),
                run.finishedAt(),
                run.address(),
                run.traceId(),
                run.execution().block().name(),
                run.execution().scope().name(),
                run.execution().concurrency(),
                run.execution().timeoutSeconds(),
                run.route().strategy().name(),
                run.route().shard().index(),
                run.route().shard().total(),
                GlueView.of(run.execution(), run.sourceVersion(), null),
                run.kill(),
                run.lineage().attempt(),
                run.lineage().attempts(),
                text(run.lineage().retryOf()),
                text(run.lineage().parentRun()),
                run.lineage().notBefore(),
                LateView.of(run.late()),
                run.alarm().code());
    }
}
