package io.orth.client;

import io.orth.client.AdminCall.Query;
import java.util.Map;
import java.util.UUID;

/** Jobs: which there are, and running one now. */
public final class OrthJobs {

    private static final String PATH = "/api/jobs";

    private final Admins admins;

    OrthJobs(Admins admins) {
        this.admins = admins;
    }

    /**
     * By id.
     *
     * @param q part of their name or handler; null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
     */
    public Page<JobInfo> list(String q, int limit, String after) {
        String path = new Query()
                .with("q", q)
                .with("limit", limit)
                .with("after", after)
                .after(PATH);
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, JobInfo::of));
    }

    public JobInfo get(int id) {
        return Answers.read(admins.call(AdminCall.get(PATH + "/" + id)), JobInfo::of);
    }

    /** Runs a job now with its own parameter; returns the run's id. */
    public long trigger(int id) {
        return fire(id, Map.of());
    }

    /** Runs a job now; returns the run's id. A call that got no answer is repeated, and makes one run all the same. */
    public long trigger(int id, String param) {
        return fire(id, Map.of("param", param));
    }

    private long fire(int id, Map<String, Object> body) {
        String path = "%s/%d/trigger".formatted(PATH, id);
        return Answers.read(
                admins.call(AdminCall.once(path, UUID.randomUUID().toString(), body)),
                json -> json.requiredNumber("runId"));
    }
}
