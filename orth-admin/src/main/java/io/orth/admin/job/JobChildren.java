package io.orth.admin.job;

import io.orth.admin.job.ChildRepository.Link;
import io.orth.admin.kernel.OrthException;
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

/** Which jobs fire which. A job never fires itself, by however many others in between. */
@Component
public class JobChildren {

    private final ChildRepository links;

    public JobChildren(JdbcClient jdbc) {
        this.links = new ChildRepository(jdbc);
    }

    /** The names of those of these jobs that there are. */
    public Map<Integer, String> names(Collection<Integer> jobs) {
        return jobs.isEmpty() ? Map.of() : links.names(jobs);
    }

    /** The jobs whose success fires this one. */
    public List<Integer> parentsOf(int jobId) {
        return links.parentsOf(jobId);
    }

    /** In the caller's transaction. Fails where one of them does not exist, or would lead back to the job. */
    void save(int jobId, List<ChildJob> children) {
        if (!children.isEmpty()) {
            links.lockLinks();
            List<Integer> ids = children.stream().map(ChildJob::jobId).toList();
            requireExisting(ids);
            refuseCycle(jobId, ids);
        }
        links.replace(jobId, children);
    }

    private void requireExisting(List<Integer> ids) {
        Set<Integer> known = links.names(ids).keySet();
        ids.stream().filter(id -> !known.contains(id)).findFirst().ifPresent(id -> {
            throw OrthException.invalid("children", "names no job: " + id);
        });
    }

    /** Level by level from the children on, each job once; {@code reachedFrom} leads back along the way. */
    private void refuseCycle(int jobId, List<Integer> children) {
        Map<Integer, Integer> reachedFrom = new HashMap<>();
        children.forEach(child -> reachedFrom.put(child, jobId));
        Set<Integer> level = new HashSet<>(children);
        while (!level.isEmpty()) {
            if (level.contains(jobId)) {
                throw OrthException.invalid("children", "would lead back to the job: " + path(jobId, reachedFrom));
            }
            level = links.linksOf(level).stream()
                    .filter(link -> reachedFrom.putIfAbsent(link.child(), link.parent()) == null)
                    .map(Link::child)
                    .collect(Collectors.toSet());
        }
    }

    private String path(int jobId, Map<Integer, Integer> reachedFrom) {
        Deque<Integer> path = new ArrayDeque<>(List.of(jobId));
        int step = reachedFrom.get(jobId);
        while (step != jobId) {
            path.addFirst(step);
            step = reachedFrom.get(step);
        }
        path.addFirst(jobId);
        Map<Integer, String> names = links.names(path);
        return path.stream().map(id -> "%s (%d)".formatted(names.get(id), id)).collect(Collectors.joining(" → "));
    }
}
