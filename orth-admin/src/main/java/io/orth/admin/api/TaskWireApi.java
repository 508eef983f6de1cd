package io.orth.admin.api;

import io.orth.admin.pipeline.TaskDesk;
import io.orth.admin.security.Access;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskSteps;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints where executors report content and steps of pipeline tasks. Each responds after the report is committed. */
@Hidden
@RestController
class TaskWireApi {

    private final ExecutorWire wire;
    private final TaskDesk desk;

    TaskWireApi(ExecutorWire wire, TaskDesk desk) {
        this.wire = wire;
        this.desk = desk;
    }

    @PostMapping(AdminPaths.TASK_CONTENT)
    @Access.ExecutorToken
    ResponseEntity<byte[]> content(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            TaskContent content = TaskContent.from(Json.readObject(body));
            return Reply.lean(
                    desk.content(wire.executorOf(group, content.instanceId()).id(), content));
        });
    }

    @PostMapping(AdminPaths.TASK_STEPS)
    @Access.ExecutorToken
    ResponseEntity<byte[]> steps(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            TaskSteps steps = TaskSteps.from(Json.readObject(body));
            return Reply.lean(
                    desk.steps(wire.executorOf(group, steps.instanceId()).id(), steps));
        });
    }
}
