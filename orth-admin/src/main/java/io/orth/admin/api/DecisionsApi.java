package io.orth.admin.api;

import io.orth.admin.job.Decision;
import io.orth.admin.job.DecisionFilter;
import io.orth.admin.job.DecisionLedger;
import io.orth.admin.job.DecisionReason;
import io.orth.admin.job.Jobs;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for skipped fires: fires that did not become runs. */
@RestController
class DecisionsApi {

    private final Jobs jobs;
    private final DecisionLedger ledger;

    DecisionsApi(Jobs jobs, DecisionLedger ledger) {
        this.jobs = jobs;
        this.ledger = ledger;
    }

    @GetMapping("/api/jobs/{id}/decisions")
    @Access(Role.VIEWER)
    Page<Decision> ofJob(
            @PathVariable String id,
            @RequestParam(required = false) DecisionReason reason,
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            PageRequest page) {
        int jobId = jobs.get(Ids.parseInt("id", id)).id();
        return list(jobId, reason, from, to, page);
    }

    @GetMapping("/api/decisions")
    @Access(Role.VIEWER)
    Page<Decision> all(
            @RequestParam(required = false) String jobId,
            @RequestParam(required = false) DecisionReason reason,
            @RequestParam(required = false) String from,
            @RequestParam(required = false) String to,
            PageRequest page) {
        return list(Ids.parseOptionalInt("jobId", jobId), reason, from, to, page);
    }

    private Page<Decision> list(Integer jobId, DecisionReason reason, String from, String to, PageRequest page) {
        DecisionFilter filter = new DecisionFilter(
                jobId,
                reason,
                Instants.parseOptional("from", from),
                Instants.parseOptional("to", to),
                page.after().orElse(Long.MAX_VALUE),
                page.rows());
        return Page.of(ledger.list(filter), page, Decision::id);
    }
}
