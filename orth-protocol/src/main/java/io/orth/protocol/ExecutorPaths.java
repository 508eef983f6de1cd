package io.orth.protocol;

/** Where an admin reaches an executor, below the executor's address. All are POST with a JSON body. */
public final class ExecutorPaths {

    /** Is it there, and which instance is it? Answers {@link BeatReply}. */
    public static final String BEAT = "/beat";

    /** Is this {@link JobRequest job} idle here? Code 200 if it neither runs nor waits. */
    public static final String IDLE_BEAT = "/idleBeat";

    /** One {@link TriggerRequest}; answers {@link Reply}. */
    public static final String RUN = "/run";

    /** The same under its coming name. */
    public static final String TRIGGER = "/trigger";

    /** Ends all that runs and waits of one {@link JobRequest job}. */
    public static final String KILL = "/kill";

    /** Log by line, {@link LogRequest} to {@link LogReply}. */
    public static final String LOG = "/log";

    /** Ours: many triggers in one request, {@link TriggerBatch} to {@link TriggerBatchReply}. */
    public static final String RUN_BATCH = "/orth/run";

    /** Ours: log by byte, {@link LogRangeRequest} to {@link LogRange}. */
    public static final String LOG_RANGE = "/orth/log";

    /** Ours: log as it grows, {@link LogRangeRequest} to a stream of {@link LogRange}, one JSON object a line. */
    public static final String LOG_STREAM = "/orth/log/stream";

    /** Ours: ends single runs, {@link KillRequest} to {@link KnownRuns} (what was known of them before). */
    public static final String KILL_RUNS = "/orth/kill";

    /** Ours: takes no more work, finishes what it has, reports it and leaves; answers {@link Reply} at once. */
    public static final String DRAIN = "/orth/drain";

    /** Ours: what is known of these log ids, {@link KnownRunsRequest} to {@link KnownRuns}. */
    public static final String KNOWN_RUNS = "/orth/known";

    private ExecutorPaths() {}
}
