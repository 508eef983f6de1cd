package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.registry.RejectedAttempt;
import io.orth.admin.registry.RejectedRegistration;
import io.orth.admin.registry.RejectedRegistrations;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoint for executors whose registration was rejected. */
@RestController
@RequestMapping("/api/rejected-registrations")
class RejectedRegistrationsApi {

    /**
     * Rejected registrations of the same kind.
     *
     * @param address address to be registered; null if the request named none
     * @param groupName requested group; null if the request named none
     */
    record RejectedView(@JsonUnwrapped RejectedRegistration rejected, String address, String groupName) {

        static RejectedView of(RejectedRegistration rejected) {
            RejectedAttempt attempt = rejected.attempt();
            return new RejectedView(rejected, textOrNull(attempt.address()), textOrNull(attempt.groupName()));
        }

        private static String textOrNull(String text) {
            return text.isEmpty() ? null : text;
        }
    }

    private final RejectedRegistrations rejections;

    RejectedRegistrationsApi(RejectedRegistrations rejections) {
        this.rejections = rejections;
    }

    /** Lists the rejections of the last seven days, the most recent first, at most 200. */
    @GetMapping
    @Access(Role.VIEWER)
    List<RejectedView> list() {
        return rejections.list().stream().map(RejectedView::of).toList();
    }
}
