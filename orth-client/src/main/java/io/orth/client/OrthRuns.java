package io.orth.client;

import io.orth.client.AdminCall.Query;

/** Runs: what became of jobs. */
public final class OrthRuns {

    private static final String PATH = "/api/runs";

    private final Admins admins;

    OrthRuns(Admins admins) {
        this.admins = admins;
    }

    /**
     * The newest first.
     *
     * @param jobId null for those of all jobs
     * @param status null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
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

    /** A piece of its log from this byte on; the next one begins where it ends. */
    public LogPiece log(long id, long from) {
        String path = new Query().with("from", from).after("%s/%d/log".formatted(PATH, id));
        return Answers.read(admins.call(AdminCall.get(path)), LogPiece::of);
    }
}
