package io.orth.admin.job;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.SqlArrays;
import io.orth.admin.kernel.SqlRows;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/** Links between parent and child jobs. The links contain no cycles. */
@Component
public class JobChildren {

    private static final String INSERT = """
            insert into orth_job_child (job_id, position, child_id, pass, param)
            select :job, c.position - 1, c.child_id, c.pass, c.param
              from unnest(:children, :passes, :params) with ordinality as c(child_id, pass, param, position)
            """;

    private static final String LINKS_OF = """
            select job_id, child_id
              from orth_job_child
             where job_id = any(:jobs)
             order by job_id, position
            """;

    /** A link from a parent to a child. */
    private record Link(int parent, int child) {}

    private final JdbcClient jdbc;

    public JobChildren(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Returns the names of the given jobs that exist. */
    public Map<Integer, String> names(Collection<Integer> jobs) {
        if (jobs.isEmpty()) {
            return Map.of();
        }
        return SqlRows.byId(
                jdbc.sql("select id, name from orth_job where id = any(:jobs)")
                        .param("jobs", SqlArrays.integers(jobs, id -> id)),
                Integer.class,
                (row, n) -> row.getString("name"));
    }

    /** Returns the jobs whose success fires this job. */
    public List<Integer> parentsOf(int jobId) {
        return jdbc.sql("select job_id from orth_job_child where child_id = :job order by job_id")
                .param("job", jobId)
                .query(Integer.class)
                .list();
    }

    /** Saves the children in the caller's transaction. Throws if a child does not exist or would close a cycle. */
    void save(int jobId, List<ChildJob> children) {
        if (!children.isEmpty()) {
            // The lock blocks other writers but not readers, so that two concurrent changes cannot close a cycle
            // together.
            jdbc.sql("lock table orth_job_child in share row exclusive mode").update();
            List<Integer> ids = children.stream().map(ChildJob::jobId).toList();
            requireExisting(ids);
            refuseCycle(jobId, ids);
        }
        replace(jobId, children);
    }

    private void replace(int jobId, List<ChildJob> children) {
        jdbc.sql("delete from orth_job_child where job_id = :job")
                .param("job", jobId)
                .update();
        if (!children.isEmpty()) {
            jdbc.sql(INSERT)
                    .param("job", jobId)
                    .param("children", SqlArrays.integers(children, ChildJob::jobId))
                    .param(
                            "passes",
                            SqlArrays.texts(children, child -> child.pass().name()))
                    .param("params", SqlArrays.texts(children, ChildJob::param))
                    .update();
        }
    }

    private void requireExisting(List<Integer> ids) {
        Set<Integer> known = names(ids).keySet();
        ids.stream().filter(id -> !known.contains(id)).findFirst().ifPresent(id -> {
            throw OrthException.invalid("children", "names no job: " + id);
        });
    }

    /** Breadth-first search from the children; {@code reachedFrom} holds the way back. */
    private void refuseCycle(int jobId, List<Integer> children) {
        Map<Integer, Integer> reachedFrom = new HashMap<>();
        children.forEach(child -> reachedFrom.put(child, jobId));
        Set<Integer> level = new HashSet<>(children);
        while (!level.isEmpty()) {
            if (level.contains(jobId)) {
                throw OrthException.invalid("children", "would lead back to the job: " + path(jobId, reachedFrom));
            }
            level = linksOf(level).stream()
                    .filter(link -> reachedFrom.putIfAbsent(link.child(), link.parent()) == null)
                    .map(Link::child)
                    .collect(Collectors.toSet());
        }
    }

    private List<Link> linksOf(Collection<Integer> jobs) {
        return jdbc.sql(LINKS_OF)
                .param("jobs", SqlArrays.integers(jobs, id -> id))
                .query((row, n) -> new Link(row.getInt("job_id"), row.getInt("child_id")))
                .list();
    }

    private String path(int jobId, Map<Integer, Integer> reachedFrom) {
        Deque<Integer> path = new ArrayDeque<>(List.of(jobId));
        int step = reachedFrom.get(jobId);
        while (step != jobId) {
            path.addFirst(step);
            step = reachedFrom.get(step);
        }
        path.addFirst(jobId);
        Map<Integer, String> names = names(path);
        return path.stream().map(id -> "%s (%d)".formatted(names.get(id), id)).collect(Collectors.joining(" → "));
    }
}
