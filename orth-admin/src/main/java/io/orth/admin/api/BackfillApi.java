package io.orth.admin.api;

import io.orth.admin.job.Job;
import io.orth.admin.job.Jobs;
import io.orth.admin.scheduling.Backfills;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Runs for planned instants of the past. */
@RestController
class BackfillApi {

    private final Jobs jobs;
    private final Backfills backfills;

    BackfillApi(Jobs jobs, Backfills backfills) {
        this.jobs = jobs;
        this.backfills = backfills;
    }

    /** The range, both ends included; {@code dryRun} only shows what would be made. */
    record BackfillBody(String from, String to, Boolean dryRun) {}

    /**
     * What a backfill makes, or would make.
     *
     * @param runs how many runs it made or, in a dry run, would make
     * @param existing how many instants had their run already
     */
    record BackfillView(boolean dryRun, int runs, int existing, List<Backfills.Slot> times) {}

    @PostMapping("/api/jobs/{id}/backfill")
    @Access(Role.OPERATOR)
    BackfillView backfill(@PathVariable String id, @RequestBody BackfillBody body, ApiCall call) {
        Job job = jobs.get(Ids.parseInt("id", id));
        boolean dryRun = body.dryRun() != null && body.dryRun();
        call.about("job", job.id(), dryRun ? "backfill preview" : "backfill");
        Instant from = Instants.parse("from", body.from()).truncatedTo(ChronoUnit.MILLIS);
        Instant to = Instants.parse("to", body.to()).truncatedTo(ChronoUnit.MILLIS);
        List<Backfills.Slot> slots =
                dryRun ? backfills.preview(job, from, to) : backfills.fire(job, from, to, call.traceId());
        int runs = (int) slots.stream()
                .filter(slot -> dryRun ? slot.runId() == null : slot.isNew())
                .count();
        call.about(
                "job",
                job.id(),
                "backfill%s from %s to %s: %d runs".formatted(dryRun ? " preview" : "", from, to, runs));
        return new BackfillView(dryRun, runs, slots.size() - runs, slots);
    }
}
