package io.orth.admin.xxlimport;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A job fired by other jobs. XXL-JOB fires a child whether or not it is running, but Orth does not fire a paused child. Therefore a child
 * that does not fire by its own schedule in XXL-JOB is enabled here without a schedule: only its parents fire it, and they are imported as
 * paused. A child that fires by its own schedule is imported as paused like any other job, because otherwise both schedulers would fire it.
 */
record FiredChild(List<Integer> parents, XxlJobRows.Job row) {

    private static final int MAX_LISTED = 10;

    /** Returns whether only its parents fire it. */
    boolean byParentsOnly() {
        return !parents.isEmpty() && !(row.about().running() && hasSchedule());
    }

    private boolean hasSchedule() {
        return !row.schedule().type().equals("NONE");
    }

    /** Returns the remarks about a new job; empty if no job fires it. */
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

    /** Returns the remarks if the job is paused here. */
    List<String> remarksIfPaused() {
        return parents.isEmpty()
                ? List.of()
                : List.of("is paused, and %s fires it: enable it before that job, since a paused child is not fired"
                        .formatted(who()));
    }

    /** Lists the parents by their ids in XXL-JOB. */
    private String who() {
        String ids = parents.stream().limit(MAX_LISTED).map(String::valueOf).collect(Collectors.joining(", "));
        return parents.size() == 1
                ? "job %s".formatted(ids)
                : "each of the jobs %s%s".formatted(ids, parents.size() > MAX_LISTED ? ", …" : "");
    }
}
