package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.declaration.DeclarationState;
import io.orth.admin.declaration.Declarations;
import io.orth.admin.declaration.JobDeclaration;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
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

    /** A declaration that was refused, or whose job a person has deleted: {@code REFUSED} or {@code DISMISSED}. */
    record InVain(@JsonUnwrapped JobDeclaration declaration, DeclarationState state) {}

    /** By group and name; up to 200, without pages. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<InVain> list() {
        List<InVain> found = declarations.inVain(MOST_SHOWN).stream()
                .map(each -> new InVain(each, declarations.stateOf(each, null)))
                .toList();
        return new Page<>(found, null);
    }
}
