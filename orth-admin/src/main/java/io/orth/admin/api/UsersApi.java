package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.security.User;
import io.orth.admin.security.Users;
import jakarta.servlet.http.HttpServletRequest;
import java.util.StringJoiner;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The people who may log in. */
@RestController
@RequestMapping("/api/users")
final class UsersApi {

    record NewUser(String name, String password, Role role) {}

    record UserChange(Role role, Boolean enabled, String password) {

        String inWords() {
            StringJoiner words = new StringJoiner(", ");
            if (role != null) {
                words.add("role " + role);
            }
            if (enabled != null) {
                words.add(enabled ? "enabled" : "disabled");
            }
            if (password != null) {
                words.add("new password");
            }
            return words.toString();
        }
    }

    private final Users users;

    UsersApi(Users users) {
        this.users = users;
    }

    @Access(Role.ADMIN)
    @GetMapping
    Page<User> list(PageRequest page) {
        return Page.of(users.list(page.after().orElse(0), page.rows()), page, User::id);
    }

    @Access(Role.ADMIN)
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    User create(@RequestBody NewUser body, HttpServletRequest request) {
        AuditNote.about(request, "user", body.name(), "role " + body.role());
        return users.create(body.name(), body.password(), body.role());
    }

    @Access(Role.ADMIN)
    @PutMapping("/{id}")
    User change(@PathVariable long id, @RequestBody UserChange body, HttpServletRequest request) {
        AuditNote.about(request, "user", id, body.inWords());
        User changed = users.change(id, new Users.Change(body.role(), body.enabled(), body.password()));
        AuditNote.about(request, "user", changed.name(), body.inWords());
        return changed;
    }
}
