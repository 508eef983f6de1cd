package io.orth.admin.api;

import io.orth.admin.declaration.DeclarationState;
import io.orth.admin.declaration.Declarations;
import io.orth.admin.declaration.Difference;
import io.orth.admin.declaration.JobDeclaration;
import io.orth.admin.job.Job;
import java.time.Instant;
import java.util.List;

/**
 * How a job stands to what code declares; in lists there is only the state.
 *
 * @param state {@code FOLLOWED}, {@code DIFFERS}, {@code REFUSED} or {@code WITHDRAWN}
 * @param declaredAt since when the code says this
 * @param instanceId which executor instance said it first
 * @param withdrawnAt since when the code says nothing any more
 * @param problem why what the code says now was refused
 * @param differences what of the job is not as declared
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
