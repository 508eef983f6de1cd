package io.orth.admin.api;

import io.orth.admin.pipeline.TaskDesk;
import io.orth.admin.registry.Executor;
import io.orth.admin.security.Access;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.TaskBegin;
import io.orth.protocol.TaskContent;
import io.orth.protocol.TaskFinish;
import io.orth.protocol.TaskSteps;
import io.orth.protocol.WireFormatException;
import io.swagger.v3.oas.annotations.Hidden;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** Where executors work on tasks of pipelines. Each call is answered after what it says is committed. */
@Hidden
@RestController
class TaskWireApi {

    private final ExecutorWire wire;
    private final TaskDesk desk;

    TaskWireApi(ExecutorWire wire, TaskDesk desk) {
        this.wire = wire;
        this.desk = desk;
    }

    @PostMapping(AdminPaths.TASK_BEGIN)
    @Access.ExecutorToken
    ResponseEntity<byte[]> begin(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            TaskBegin begin = TaskBegin.from(Json.readObject(body));
            Executor executor = wire.executorOf(group, begin.instanceId());
            if (executor.status().isGone()) {
                throw new WireFormatException("instance %s is not registered".formatted(begin.instanceId()));
            }
            return Reply.lean(desk.begin(group, executor.id(), begin));
        });
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

    @PostMapping(AdminPaths.TASK_FINISH)
    @Access.ExecutorToken
    ResponseEntity<byte[]> finish(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            TaskFinish finish = TaskFinish.from(Json.readObject(body));
            return Reply.lean(
                    desk.finish(wire.executorOf(group, finish.instanceId()).id(), finish));
        });
    }
}
