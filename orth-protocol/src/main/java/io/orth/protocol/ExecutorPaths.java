package io.orth.protocol;

/** Paths of an executor's HTTP interface for admins, relative to its address. All are POST with a JSON body. */
public final class ExecutorPaths {

    /** Checks that the executor is alive and returns its instance, {@link BeatReply}. */
    public static final String BEAT = "/beat";

    /** Checks whether a {@link JobRequest job} is idle: code 200 if it neither runs nor waits. */
    public static final String IDLE_BEAT = "/idleBeat";

    /** Accepts one {@link TriggerRequest}; returns {@link Reply}. */
    public static final String RUN = "/run";

    /** Same as {@link #RUN}, under its future name. */
    public static final String TRIGGER = "/trigger";

    /** Ends all running and waiting runs of a job, {@link JobRequest}. */
    public static final String KILL = "/kill";

    /** Log by line, {@link LogRequest} to {@link LogReply}. */
    public static final String LOG = "/log";

    /** Orth only: many triggers in one request, {@link TriggerBatch} to {@link TriggerBatchReply}. */
    public static final String RUN_BATCH = "/orth/run";

    /** Orth only: log by byte, {@link LogRangeRequest} to {@link LogRange}. */
    public static final String LOG_RANGE = "/orth/log";

    /** Orth only: log as it grows, {@link LogRangeRequest} to a stream of {@link LogRange}, one JSON object per line. */
    public static final String LOG_STREAM = "/orth/log/stream";

    /** Orth only: ends single runs, {@link KillRequest} to {@link KnownRuns} (the state before the kill). */
    public static final String KILL_RUNS = "/orth/kill";

    /** Orth only: accepts no new work, finishes and reports the rest, then deregisters; returns {@link Reply} immediately. */
    public static final String DRAIN = "/orth/drain";

    /** Orth only: state of these log ids, {@link KnownRunsRequest} to {@link KnownRuns}. */
    public static final String KNOWN_RUNS = "/orth/known";

    private ExecutorPaths() {}
}
