package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import java.util.Collection;
import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** The versions of jobs' sources, as they are read. They are written with their jobs, by {@link Jobs}. */
@Component
public class JobSources {

    /** Names one version of one job's source. */
    public record Key(int jobId, int version) {}

    private final SourceRepository sources;

    public JobSources(JdbcClient jdbc) {
        this.sources = new SourceRepository(jdbc);
    }

    /** Newest first. */
    public List<SourceVersion> list(int jobId) {
        return sources.list(jobId);
    }

    public JobSource get(int jobId, int version) {
        return sources.find(jobId, version)
                .orElseThrow(() -> OrthException.notFound("source version", "%d of job %d".formatted(version, jobId)));
    }

    /** Those of the wanted ones that are still kept. */
    public List<JobSource> load(Collection<Key> wanted) {
        return sources.load(wanted);
    }
}
