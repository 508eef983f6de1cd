package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import io.orth.protocol.GlueType;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Versions of the jobs' sources. {@link Jobs} writes them together with the jobs. */
@Component
public class JobSources {

    /** Key of one version of one job's source. */
    public record Key(int jobId, int version) {}

    private static final String ABOUT =
            "s.job_id, s.version, s.type, octet_length(s.source) as bytes, s.note, s.author, s.created_at";

    private static final String FIND =
            "select " + ABOUT + ", s.source from orth_job_source s where s.job_id = :job and s.version = :version";

    private static final String LIST =
            "select " + ABOUT + " from orth_job_source s where s.job_id = :job order by s.version desc";

    private static final String LOAD = "select " + ABOUT + """
            , s.source
              from unnest(:jobs, :versions) as w(job_id, version)
              join orth_job_source s on s.job_id = w.job_id and s.version = w.version
            """;

    /** {@code created_at} is later than that of every earlier version, in whole milliseconds, which is the precision that executors see. */
    private static final String INSERT = """
            insert into orth_job_source (job_id, version, type, source, note, author, created_at)
            select :job, coalesce(max(version), 0) + 1, :type, :source, :note, :author,
                   greatest(date_trunc('milliseconds', clock_timestamp()), max(created_at) + interval '1 millisecond')
              from orth_job_source
             where job_id = :job
            returning version
            """;

    private static final String PRUNE = """
            delete from orth_job_source
             where job_id = :job
               and version <= (select max(version) - :kept from orth_job_source where job_id = :job)
            """;

    private final JdbcClient jdbc;

    public JobSources(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    Optional<JobSource> find(int jobId, int version) {
        return jdbc.sql(FIND)
                .params(Map.of("job", jobId, "version", version))
                .query((row, n) -> source(row))
                .optional();
    }

    /** Returns the versions of the job's source, newest first. */
    public List<SourceVersion> list(int jobId) {
        return jdbc.sql(LIST).param("job", jobId).query((row, n) -> about(row)).list();
    }

    public JobSource get(int jobId, int version) {
        return find(jobId, version)
                .orElseThrow(() -> OrthException.notFound("source version", "%d of job %d".formatted(version, jobId)));
    }

    /** Returns the requested versions that are still stored. */
    public List<JobSource> load(Collection<Key> wanted) {
        return jdbc.sql(LOAD)
                .param("jobs", SqlArrays.integers(wanted, Key::jobId))
                .param("versions", SqlArrays.integers(wanted, Key::version))
                .query((row, n) -> source(row))
                .list();
    }

    /** Inserts the source as a new version and returns the version. The caller has locked the job's row. */
    int insert(int jobId, GlueType type, String text, SourceEdit edit) {
        return jdbc.sql(INSERT)
                .params(Map.of("job", jobId, "type", type.name(), "source", text, "note", edit.note()))
                .param("author", edit.author())
                .query(Integer.class)
                .single();
    }

    /** Deletes all but the newest {@code kept} versions. */
    void prune(int jobId, int kept) {
        jdbc.sql(PRUNE).params(Map.of("job", jobId, "kept", kept)).update();
    }

    private static JobSource source(ResultSet row) throws SQLException {
        return new JobSource(about(row), row.getString("source"));
    }

    private static SourceVersion about(ResultSet row) throws SQLException {
        return new SourceVersion(
                row.getInt("job_id"),
                row.getInt("version"),
                GlueType.valueOf(row.getString("type")),
                row.getInt("bytes"),
                row.getString("note"),
                row.getString("author"),
                SqlRows.instant(row, "created_at"));
    }
}
