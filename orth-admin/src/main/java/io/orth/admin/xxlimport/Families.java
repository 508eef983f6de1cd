package io.orth.admin.xxlimport;

import io.orth.admin.xxlimport.XxlJobRows.Outline;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Parent-child links between jobs, and an order in which the jobs can be created: children first, so that a job has all its links when it
 * is created. XXL-JOB allows cycles, Orth does not; the link that closes a cycle is omitted.
 */
final class Families {

    private static final int MOST_CHILDREN = 50;

    /**
     * Limit, because storing a link walks down to the last generation: without it, a chain of thousands of jobs would take quadratic time.
     */
    private static final int MOST_GENERATIONS = 100;

    /** A job whose children are being visited. */
    private record Visit(int job, Iterator<Integer> children) {}

    private final Set<Integer> known;
    private final Map<Integer, Set<Integer>> children = new HashMap<>();
    private final Map<Integer, List<Integer>> parents = new HashMap<>();
    private final Map<Integer, List<String>> problems = new HashMap<>();
    /** Length of the longest chain that starts at each finished job, in finishing order. */
    private final Map<Integer, Integer> finished = new LinkedHashMap<>();

    Families(List<Outline> jobs) {
        known = jobs.stream().map(Outline::id).collect(Collectors.toSet());
        jobs.forEach(job -> children.put(job.id(), parse(job)));
        jobs.forEach(job -> visit(job.id()));
        jobs.forEach(job -> childrenOf(job.id())
                .forEach(child ->
                        parents.computeIfAbsent(child, id -> new ArrayList<>()).add(job.id())));
    }

    /** Returns all jobs, each after its children. */
    List<Integer> order() {
        return List.copyOf(finished.keySet());
    }

    Set<Integer> childrenOf(int job) {
        return children.get(job);
    }

    /** Returns the parents of this job, ordered by id. */
    List<Integer> parentsOf(int job) {
        return parents.getOrDefault(job, List.of());
    }

    /** Returns the omitted links of the job, with reasons. */
    List<String> problemsOf(int job) {
        return problems.getOrDefault(job, List.of());
    }

    private Set<Integer> parse(Outline job) {
        Set<Integer> parsed = new LinkedHashSet<>();
        for (String each : job.children().split(",", -1)) {
            String child = Text.oneLine(each);
            if (!child.isEmpty()) {
                parse(job.id(), child, parsed);
            }
        }
        return parsed;
    }

    private void parse(int job, String child, Set<Integer> parsed) {
        if (!child.matches("[0-9]{1,9}")) {
            problem(job, "child '%s' is not the id of a job".formatted(Text.cut(child, 60)));
        } else if (!known.contains(Integer.valueOf(child))) {
            problem(job, "child %s does not exist".formatted(child));
        } else if (parsed.size() == MOST_CHILDREN && !parsed.contains(Integer.valueOf(child))) {
            problem(job, "child %s is one more than the %d a job may have".formatted(child, MOST_CHILDREN));
        } else {
            parsed.add(Integer.valueOf(child));
        }
    }

    /** Depth-first search without recursion, because a chain may contain all jobs. */
    private void visit(int root) {
        Deque<Visit> path = new ArrayDeque<>();
        Set<Integer> onPath = new HashSet<>();
        enter(root, path, onPath);
        while (!path.isEmpty()) {
            Visit top = path.peek();
            if (!top.children().hasNext()) {
                path.pop();
                onPath.remove(top.job());
                finish(top.job());
                continue;
            }
            int child = top.children().next();
            if (onPath.contains(child)) {
                top.children().remove();
                problem(top.job(), "child %d would lead back to the job".formatted(child));
            } else {
                enter(child, path, onPath);
            }
        }
    }

    private void finish(int job) {
        children.get(job).removeIf(child -> {
            boolean tooLong = finished.get(child) == MOST_GENERATIONS;
            if (tooLong) {
                problem(job, "child %d begins a chain of %d jobs already".formatted(child, MOST_GENERATIONS));
            }
            return tooLong;
        });
        int below = children.get(job).stream().mapToInt(finished::get).max().orElse(0);
        finished.put(job, below + 1);
    }

    private void enter(int job, Deque<Visit> path, Set<Integer> onPath) {
        if (!finished.containsKey(job)) {
            path.push(new Visit(job, children.get(job).iterator()));
            onPath.add(job);
        }
    }

    private void problem(int job, String what) {
        problems.computeIfAbsent(job, id -> new ArrayList<>()).add(what);
    }
}
