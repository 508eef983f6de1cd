package io.orth.admin.api;

import io.orth.admin.registry.Groups;
import io.orth.admin.run.Run;
import io.orth.admin.run.RunFilter;
import io.orth.admin.run.RunStatus;
import io.orth.admin.run.Runs;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for runs and their related runs. */
@RestController
@RequestMapping("/api/runs")
class RunsApi {

    private final Runs runs;
    private final Groups groups;

    RunsApi(Runs runs, Groups groups) {
        this.runs = runs;
        this.groups = groups;
    }

    /** Lists runs, newest first. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<RunView> list(
            @RequestParam(required = false) String jobId,
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) Set<RunStatus> status,
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            PageRequest page) {
        List<Run> found = runs.list(new RunFilter(
                Ids.parseOptionalInt("jobId", jobId),
                Ids.parseOptionalInt("groupId", groupId),
                status == null
                        ? Set.of()
                        : status.stream().filter(Objects::nonNull).collect(Collectors.toSet()),
                Instants.parseOptionalOfAnyYear("from", from),
                Instants.parseOptionalOfAnyYear("to", to),
                page.after().orElse(Long.MAX_VALUE),
                page.rows()));
        Map<Integer, String> names =
                groups.names(found.stream().map(Run::groupId).collect(Collectors.toSet()));
        return Page.of(found, page, Run::id, run -> RunView.of(run, names.get(run.groupId())));
    }

    @GetMapping("/{id}")
    @Access(Role.VIEWER)
    RunView get(@PathVariable String id) {
        Run run = runs.get(Ids.parseLong("id", id));
        return RunView.of(run, groups.names(List.of(run.groupId())).get(run.groupId()));
    }

    /** Returns the other attempts at the run's work, its parent and its children. */
    @GetMapping("/{id}/related")
    @Access(Role.VIEWER)
    RelatedRuns related(@PathVariable String id) {
        Run run = runs.get(Ids.parseLong("id", id));
        List<Run> attempts = runs.attemptsOf(run.id());
        Long parent = attempts.isEmpty() ? null : attempts.get(0).lineage().parentRun();
        List<Run> parents = parent == null ? List.of() : runs.list(List.of(parent));
        return RelatedRuns.of(attempts, parents.isEmpty() ? null : parents.get(0), runs.childrenOf(run.id()));
    }
}
