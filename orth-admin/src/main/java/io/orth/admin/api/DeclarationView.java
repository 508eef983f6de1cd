package io.orth.admin.api;

import io.orth.admin.declaration.DeclarationState;
import io.orth.admin.declaration.Declarations;
import io.orth.admin.declaration.Difference;
import io.orth.admin.declaration.JobDeclaration;
import io.orth.admin.job.Job;
import java.time.Instant;
import java.util.List;

/**
 * Relation of a job to its declaration in code; in lists only {@code state} is set.
 *
 * @param state {@code FOLLOWED}, {@code DIFFERS}, {@code REFUSED} or {@code WITHDRAWN}
 * @param declaredAt since when code declares this
 * @param instanceId executor instance that declared it first
 * @param withdrawnAt since when code no longer declares the job
 * @param problem why the current declaration was rejected
 * @param differences where the job differs from its declaration
 */
record DeclarationView(
        String state,
        Instant declaredAt,
        String instanceId,
        Instant withdrawnAt,
        String problem,
        List<Difference> differences) {

    static DeclarationView of(DeclarationState state) {
        return state == null ? null : new DeclarationView(state.name(), null, null, null, null, null);
    }

    static DeclarationView of(JobDeclaration declaration, Job job, Declarations declarations) {
        return new DeclarationView(
                declarations.stateOf(declaration, job).name(),
                declaration.declaredAt(),
                declaration.instanceId(),
                declaration.withdrawnAt(),
                declaration.problem(),
                declarations.differences(declaration, job));
    }
}
