package io.orth.admin.xxlimport;

import io.orth.admin.xxlimport.XxlJobRows.Outline;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Names of jobs that are not imported yet, assigned in the order of ids. XXL-JOB descriptions may be empty or duplicate, but Orth
 * identifies a job by its group and name. Jobs imported earlier keep their names.
 */
final class JobNames {

    private static final int LONGEST = 200;

    private final Map<String, Set<String>> taken = new HashMap<>();
    private final Map<Integer, String> names = new HashMap<>();

    /** {@code groups} contains the Orth groups by XXL-JOB id. Jobs of other groups get names that are unique among themselves. */
    JobNames(List<Outline> jobs, Map<Integer, GroupTarget> groups, Collection<ImportedJob> before) {
        before.forEach(job ->
                taken.computeIfAbsent(job.groupName(), g -> new HashSet<>()).add(job.name()));
        for (Outline job : jobs) {
            GroupTarget group = groups.get(job.groupId());
            names.put(
                    job.id(),
                    unique(job, taken.computeIfAbsent(group == null ? "" : group.name(), g -> new HashSet<>())));
        }
    }

    String of(int job) {
        return names.get(job);
    }

    private static String unique(Outline job, Set<String> takenInGroup) {
        String plain = Text.line(job.name(), LONGEST);
        String name = plain.isEmpty() ? "XXL-JOB job %d".formatted(job.id()) : plain;
        String free = name;
        for (int i = 0; !takenInGroup.add(free); i++) {
            String suffix = " (%d)".formatted(job.id()) + "*".repeat(i);
            free = Text.cut(name, LONGEST - suffix.length()) + suffix;
        }
        return free;
    }
}
