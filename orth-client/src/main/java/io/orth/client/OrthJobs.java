package io.orth.client;

import io.orth.client.AdminCall.Query;
import java.util.Map;
import java.util.UUID;

/** Operations on jobs: queries and triggers. */
public final class OrthJobs {

    private static final String PATH = "/api/jobs";

    private final Admins admins;

    OrthJobs(Admins admins) {
        this.admins = admins;
    }

    /**
     * Returns jobs ordered by id.
     *
     * @param q part of their name or handler; null for all
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
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

    /** Triggers a job with its own parameter and returns the run's id. */
    public long trigger(int id) {
        return fire(id, Map.of());
    }

    /** Triggers a job and returns the run's id. A call without a response is repeated and still creates only one run. */
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
