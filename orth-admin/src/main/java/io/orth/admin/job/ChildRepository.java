package io.orth.admin.job;

import io.orth.admin.kernel.SqlArrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** SQL of the links from jobs to their children. */
final class ChildRepository {

    /** Readers go on; who else wants to change links waits, so that two changes cannot close a cycle together. */
    private static final String LOCK_LINKS = "lock table orth_job_child in share row exclusive mode";

    private static final String DELETE = "delete from orth_job_child where job_id = :job";

    private static final String INSERT = """
            insert into orth_job_child (job_id, position, child_id, pass, param)
            select :job, c.position, c.child_id, c.pass, c.param
              from unnest(:positions, :children, :passes, :params) as c(position, child_id, pass, param)
            """;

    private static final String LINKS_OF = """
            select job_id, child_id
              from orth_job_child
             where job_id = any(:jobs)
             order by job_id, position
            """;

    /** A link from one job to another. */
    record Link(int parent, int child) {}

    private final JdbcClient jdbc;

    ChildRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    void lockLinks() {
        jdbc.sql(LOCK_LINKS).update();
    }

    void replace(int jobId, List<ChildJob> children) {
        jdbc.sql(DELETE).param("job", jobId).update();
        if (!children.isEmpty()) {
            jdbc.sql(INSERT)
                    .param("job", jobId)
                    .param(
                            "positions",
                            SqlArrays.integers(
                                    IntStream.range(0, children.size()).boxed().toList(), position -> position))
                    .param("children", SqlArrays.integers(children, ChildJob::jobId))
                    .param(
                            "passes",
                            SqlArrays.texts(children, child -> child.pass().name()))
                    .param("params", SqlArrays.texts(children, ChildJob::param))
                    .update();
        }
    }

    List<Link> linksOf(Collection<Integer> jobs) {
        return jdbc.sql(LINKS_OF)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new Link(row.getInt("job_id"), row.getInt("child_id")))
                .list();
    }

    List<Integer> parentsOf(int jobId) {
        return jdbc.sql("select job_id from orth_job_child where child_id = :job order by job_id")
                .param("job", jobId)
                .query(Integer.class)
                .list();
    }

    /** The names of those that there are. */
    Map<Integer, String> names(Collection<Integer> jobs) {
        Map<Integer, String> names = new HashMap<>();
        jdbc.sql("select id, name from orth_job where id = any(:jobs)")
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query(row -> {
                    names.put(row.getInt("id"), row.getString("name"));
                });
        return names;
    }
}
