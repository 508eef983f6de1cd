package io.orth.admin.api;

import io.orth.admin.registry.ExecutorGroup;
import io.orth.admin.registry.Groups;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for executor groups and their tokens. */
@RestController
@RequestMapping("/api/groups")
class GroupsApi {

    private final Groups groups;

    GroupsApi(Groups groups) {
        this.groups = groups;
    }

    /** Group in a request; if {@code title} is missing, it is the name. */
    record GroupBody(String name, String title) {}

    record TitleBody(String title) {}

    record TokenView(String token) {}

    /** Lists groups by id; only the group called {@code name} if given. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<ExecutorGroup> list(@RequestParam(required = false) String name, PageRequest page) {
        List<ExecutorGroup> found = groups.list(
                Filters.text("name", name), (int) Math.min(page.after().orElse(0), Integer.MAX_VALUE), page.rows());
        return Page.of(found, page, ExecutorGroup::id);
    }

    @PostMapping
    @Access(Role.ADMIN)
    ResponseEntity<ExecutorGroup> create(@RequestBody GroupBody body, ApiCall call) {
        ExecutorGroup group = groups.create(body.name(), body.title());
        call.about("group", group.id(), group.name());
        return ResponseEntity.created(URI.create("/api/groups/" + group.id())).body(group);
    }

    @GetMapping("/{id}")
    @Access(Role.VIEWER)
    ExecutorGroup get(@PathVariable String id) {
        return groups.get(Ids.parseInt("id", id));
    }

    @PutMapping("/{id}")
    @Access(Role.ADMIN)
    ExecutorGroup rename(@PathVariable String id, @RequestBody TitleBody body, ApiCall call) {
        int groupId = Ids.parseInt("id", id);
        call.about("group", groupId, body.title());
        return groups.rename(groupId, body.title());
    }

    @DeleteMapping("/{id}")
    @Access(Role.ADMIN)
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void delete(@PathVariable String id, ApiCall call) {
        int groupId = Ids.parseInt("id", id);
        call.about("group", groupId, null);
        groups.delete(groupId);
    }

    /** Returns the secret by which the executors of the group and the admins authenticate each other. */
    @GetMapping("/{id}/token")
    @Access(value = Role.ADMIN, audited = Access.Audited.ALWAYS)
    TokenView token(@PathVariable String id, ApiCall call) {
        int groupId = Ids.parseInt("id", id);
        call.about("group", groupId, "token shown");
        return new TokenView(groups.token(groupId));
    }

    /** Replaces the token. The old token stops working immediately. */
    @PostMapping("/{id}/token")
    @Access(Role.ADMIN)
    TokenView rotateToken(@PathVariable String id, ApiCall call) {
        int groupId = Ids.parseInt("id", id);
        call.about("group", groupId, "new token");
        return new TokenView(groups.rotateToken(groupId));
    }
}
