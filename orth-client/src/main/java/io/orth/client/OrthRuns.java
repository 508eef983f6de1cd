package io.orth.client;

import io.orth.client.AdminCall.Query;

/** Queries for the runs of jobs and their logs. */
public final class OrthRuns {

    private static final String PATH = "/api/runs";

    private final Admins admins;

    OrthRuns(Admins admins) {
        this.admins = admins;
    }

    /**
     * Returns runs, newest first.
     *
     * @param jobId null for all jobs
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
     */
    public Page<RunInfo> list(Integer jobId, String status, int limit, String after) {
        String path = new Query()
                .with("jobId", jobId)
                .with("status", status)
                .with("limit", limit)
                .with("after", after)
                .after(PATH);
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, RunInfo::of));
    }

    public RunInfo get(long id) {
        return Answers.read(admins.call(AdminCall.get(PATH + "/" + id)), RunInfo::of);
    }

    /** Returns a chunk of the run's log from this byte offset on. {@link LogPiece#to()} is the offset of the next chunk. */
    public LogPiece log(long id, long from) {
        String path = new Query().with("from", from).after("%s/%d/log".formatted(PATH, id));
        return Answers.read(admins.call(AdminCall.get(path)), LogPiece::of);
    }
}
