package io.orth.admin.xxlimport;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A job that others fire. XXL-JOB fires a child whether or not it is running; here a paused child is not fired. So a child that
 * does not fire by itself there is enabled here, without a schedule: only its parents fire it, and they arrive paused. A child that
 * does arrives paused as any other job, or both schedulers would fire it.
 */
record FiredChild(List<Integer> parents, XxlJobRows.Job row) {

    private static final int MAX_LISTED = 10;

    /** Whether only its parents fire it. */
    boolean byParentsOnly() {
        return !parents.isEmpty() && !(row.about().running() && hasSchedule());
    }

    private boolean hasSchedule() {
        return !row.schedule().type().equals("NONE");
    }

    /** What the report says about a new job; empty if no job fires it. */
    List<String> remarks() {
        if (!byParentsOnly()) {
            return remarksIfPaused();
        }
        String enabled =
                "is enabled without a schedule: %s fires it, whether or not it is running there".formatted(who());
        return List.of(
                hasSchedule()
                        ? "%s; its schedule, which was stopped, is %s %s"
                                .formatted(
                                        enabled,
                                        row.schedule().type(),
                                        Text.line(row.schedule().conf(), 128))
                        : enabled);
    }

    /** The same for one that is paused here. */
    List<String> remarksIfPaused() {
        return parents.isEmpty()
                ? List.of()
                : List.of("is paused, and %s fires it: enable it before that job, since a paused child is not fired"
                        .formatted(who()));
    }

    /** By their ids in XXL-JOB. */
    private String who() {
        String ids = parents.stream().limit(MAX_LISTED).map(String::valueOf).collect(Collectors.joining(", "));
        return parents.size() == 1
                ? "job %s".formatted(ids)
                : "each of the jobs %s%s".formatted(ids, parents.size() > MAX_LISTED ? ", …" : "");
    }
}
