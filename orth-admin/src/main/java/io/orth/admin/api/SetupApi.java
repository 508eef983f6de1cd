package io.orth.admin.api;

import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.admin.security.Setup;
import io.orth.admin.security.User;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints that create the first administrator. */
@RestController
@RequestMapping("/api/setup")
final class SetupApi {

    record SetupState(boolean needed) {}

    record SetupRequest(String code, String user, String password) {}

    record FirstUser(String user, Role role) {}

    private final Setup setup;

    SetupApi(Setup setup) {
        this.setup = setup;
    }

    @Access.Public
    @GetMapping
    SetupState state() {
        return new SetupState(setup.isNeeded());
    }

    @Access.Public
    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    FirstUser complete(@RequestBody SetupRequest body, ApiCall call) {
        User first = setup.complete(body.code(), body.user(), body.password(), call.address());
        call.about("user", first.name(), "first administrator");
        return new FirstUser(first.name(), first.role());
    }
}
