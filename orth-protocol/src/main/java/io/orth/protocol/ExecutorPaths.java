package io.orth.protocol;

/** Where an admin reaches an executor, below the executor's address. All are POST with a JSON body. */
public final class ExecutorPaths {

    /** Is it there, and which instance is it? Answers {@link BeatReply}. */
    public static final String BEAT = "/beat";

    /** One {@link TriggerRequest}; answers {@link Reply}. */
    public static final String RUN = "/run";

    /** Log by line, {@link LogRequest} to {@link LogReply}. */
    public static final String LOG = "/log";

    /** Ours: many triggers in one request, {@link TriggerBatch} to {@link TriggerBatchReply}. */
    public static final String RUN_BATCH = "/orth/run";

    /** Ours: log by byte, {@link LogRangeRequest} to {@link LogRange}. */
    public static final String LOG_RANGE = "/orth/log";

    /** Ours: what is known of these log ids, {@link KnownRunsRequest} to {@link KnownRuns}. */
    public static final String KNOWN_RUNS = "/orth/known";

    private ExecutorPaths() {}
}
