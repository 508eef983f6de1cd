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

/** Endpoint that creates runs for past fire times. */
@RestController
class BackfillApi {

    private final Jobs jobs;
    private final Backfills backfills;

    BackfillApi(Jobs jobs, Backfills backfills) {
        this.jobs = jobs;
        this.backfills = backfills;
    }

    /** Range of fire times, both ends included; {@code dryRun} only reports what would be created. */
    record BackfillBody(String from, String to, Boolean dryRun) {}

    /**
     * Result of a backfill.
     *
     * @param runs number of created runs or, in a dry run, of runs that would be created
     * @param existing number of fire times that had a run already
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
