package io.orth.admin.api;

import io.orth.admin.registry.Executor;
import io.orth.admin.registry.Executors;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import java.time.Instant;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Executor instances, newest first. */
@RestController
@RequestMapping("/api/executors")
class ExecutorsApi {

    private final Executors executors;

    ExecutorsApi(Executors executors) {
        this.executors = executors;
    }

    record ExecutorView(
            String instanceId,
            String groupId,
            String groupName,
            String address,
            String status,
            String host,
            long pid,
            String version,
            Instant registeredAt,
            Instant lastBeatAt) {

        static ExecutorView of(Executor executor) {
            return new ExecutorView(
                    executor.instanceId(),
                    Integer.toString(executor.groupId()),
                    executor.groupName(),
                    executor.address(),
                    executor.status().name(),
                    executor.host(),
                    executor.pid(),
                    executor.version(),
                    executor.registeredAt(),
                    executor.lastBeatAt());
        }
    }

    @GetMapping
    @Access(Role.VIEWER)
    Page<ExecutorView> list(
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) String limit,
            @RequestParam(required = false) String after) {
        PageRequest page = PageRequest.of(limit, after);
        List<Executor> found = executors.list(
                Ids.parseOptionalInt("groupId", groupId), page.after().orElse(Long.MAX_VALUE), page.rows());
        return Page.of(found, page, Executor::id, ExecutorView::of);
    }
}
