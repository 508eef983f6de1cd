package io.orth.admin.api;

import io.orth.admin.declaration.Declarations;
import io.orth.admin.declaration.JobDeclaration;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Instant;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** What code declares in vain. What became of all else is shown with its job. */
@RestController
@RequestMapping("/api/declarations")
class DeclarationsApi {

    private static final int MOST_SHOWN = 200;

    private final Declarations declarations;

    DeclarationsApi(Declarations declarations) {
        this.declarations = declarations;
    }

    /**
     * A declaration that was refused, or whose job a person has deleted.
     *
     * @param state {@code REFUSED} or {@code DISMISSED}
     * @param jobId the job that it is about and that is as it was; null where there is none
     * @param problem why it was refused; null otherwise
     */
    record InVain(
            String groupId,
            String groupName,
            String name,
            String state,
            String jobId,
            String problem,
            Instant declaredAt,
            String instanceId) {}

    /** By group and name; up to 200, without pages. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<InVain> list() {
        List<InVain> found =
                declarations.inVain(MOST_SHOWN).stream().map(this::view).toList();
        return new Page<>(found, null);
    }

    private InVain view(JobDeclaration declaration) {
        return new InVain(
                Integer.toString(declaration.groupId()),
                declaration.groupName(),
                declaration.name(),
                declarations.stateOf(declaration, null).name(),
                declaration.jobId() == null ? null : Integer.toString(declaration.jobId()),
                declaration.problem(),
                declaration.declaredAt(),
                declaration.instanceId());
    }
}
