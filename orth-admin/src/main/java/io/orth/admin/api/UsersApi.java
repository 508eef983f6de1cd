package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.security.User;
import io.orth.admin.security.Users;
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

/** Endpoints for users. */
@RestController
@RequestMapping("/api/users")
final class UsersApi {

    record NewUser(String name, String password, Role role) {}

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
    User create(@RequestBody NewUser body, ApiCall call) {
        call.about("user", body.name(), "role " + body.role());
        return users.create(body.name(), body.password(), body.role());
    }

    @Access(Role.ADMIN)
    @PutMapping("/{id}")
    User change(@PathVariable long id, @RequestBody Users.Change body, ApiCall call) {
        call.about("user", id, inWords(body));
        User changed = users.change(id, body);
        call.about("user", changed.name(), inWords(body));
        return changed;
    }

    private static String inWords(Users.Change change) {
        StringJoiner words = new StringJoiner(", ");
        if (change.role() != null) {
            words.add("role " + change.role());
        }
        if (change.enabled() != null) {
            words.add(change.enabled() ? "enabled" : "disabled");
        }
        if (change.password() != null) {
            words.add("new password");
        }
        return words.toString();
    }
}
