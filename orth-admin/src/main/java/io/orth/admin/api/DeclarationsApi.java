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

/** Endpoint for declarations that are not applied. All others are part of their job. */
@RestController
@RequestMapping("/api/declarations")
class DeclarationsApi {

    private static final int MOST_SHOWN = 200;

    private final Declarations declarations;

    DeclarationsApi(Declarations declarations) {
        this.declarations = declarations;
    }

    /** Declaration that was rejected ({@code REFUSED}), or whose job a person has deleted ({@code DISMISSED}). */
    record InVain(@JsonUnwrapped JobDeclaration declaration, DeclarationState state) {}

    /** Lists up to 200 declarations by group and name, without paging. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<InVain> list() {
        List<InVain> found = declarations.inVain(MOST_SHOWN).stream()
                .map(each -> new InVain(each, declarations.stateOf(each, null)))
                .toList();
        return new Page<>(found, null);
    }
}
