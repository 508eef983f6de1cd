package io.orth.admin.api;

import io.orth.admin.declaration.DeclarationIntake;
import io.orth.admin.declaration.Declarer;
import io.orth.admin.kernel.InstallationGuard;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.ReservedConnections;
import io.orth.admin.queue.Revocations;
import io.orth.admin.registry.Executor;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Groups;
import io.orth.admin.run.CallbackQueue;
import io.orth.admin.run.Runs;
import io.orth.admin.security.Access;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.Codes;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.HeartbeatRule;
import io.orth.protocol.Json;
import io.orth.protocol.Registration;
import io.orth.protocol.RegistrationReply;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import jakarta.servlet.http.HttpServletRequest;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.stream.Stream;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * Endpoints where Orth and XXL-JOB executors register and report. XXL-JOB executors send no instance. Tokens and responses are those of
 * {@link ExecutorWire}.
 */
@RestController
class ExecutorWireApi {

    /** Path prefix under which XXL-JOB executors look for an admin by default. */
    private static final String XXL_JOB = "/xxl-job-admin";

    /** Reply with an explicit payload: some XXL-JOB executors read it, under either name, and expect text. */
    private static final Reply DONE = new Reply(Codes.SUCCESS, null, "");

    private final ExecutorWire wire;
    private final Groups groups;
    private final Executors executors;
    private final Runs runs;
    private final Revocations revocations;
    private final CallbackQueue callbacks;
    private final DeclarationIntake declarations;
    private final RegistrationRejections rejections;
    private final InstallationGuard installation;
    private final HeartbeatRule heartbeats;

    ExecutorWireApi(
            ExecutorWire wire,
            Groups groups,
            Executors executors,
            Runs runs,
            Revocations revocations,
            CallbackQueue callbacks,
            DeclarationIntake declarations,
            RegistrationRejections rejections,
            InstallationGuard installation,
            HeartbeatRule heartbeats) {
        this.heartbeats = heartbeats;
        this.rejections = rejections;
        this.installation = installation;
        this.wire = wire;
        this.declarations = declarations;
        this.groups = groups;
        this.executors = executors;
        this.runs = runs;
        this.revocations = revocations;
        this.callbacks = callbacks;
    }

    /**
     * Registers an executor or records its heartbeat. Without heartbeats its messages are reassigned, so this uses a reserved connection
     * and does not depend on the load on the shared ones.
     */
    @PostMapping({AdminPaths.REGISTRY, XXL_JOB + AdminPaths.REGISTRY})
    @Access.ExecutorToken
    @Operation(
            summary = "Register, and beat",
            description = "An executor that is not heard of for long enough is gone, and its messages go to others.",
            security = @SecurityRequirement(name = QueueWireApi.TOKEN),
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = Registration.class))))
    @ApiResponse(responseCode = "200", content = @Content(schema = @Schema(implementation = RegistrationReply.class)))
    ResponseEntity<byte[]> register(HttpServletRequest request) {
        return ReservedConnections.call(() -> wire.answer(
                request,
                (group, body) -> {
                    try {
                        return register(request, group, body);
                    } catch (WireFormatException | OrthException e) {
                        rejections.of(request, group, body, e);
                        throw e;
                    }
                },
                () -> rejections.ofWrongToken(request)));
    }

    private WireMessage register(HttpServletRequest request, int group, byte[] body) {
        Registration registration = registrationOf(group, body);
        if (registration.instance() == null) {
            executors.registerForeign(group, registration.address(), peerOf(request));
            return DONE;
        }
        Executors.Registered registered = executors.register(group, registration, peerOf(request));
        long executor = registered.id();
        Boolean declare =
                declarations.wants(group, executor, registration.instance().declarations());
        revocations.acknowledge(executor, registration.instance().revoked());
        // Read after the executor is back online: no further work is revoked from now on, and the reply lists
        // everything revoked before.
        return RegistrationReply.ok(
                        Stream.concat(runs.revokedOf(executor).stream(), revocations.of(executor).stream())
                                .toList(),
                        declare,
                        installation.id(),
                        heartbeats)
                .of(registered.incarnation());
    }

    @Hidden
    @PostMapping({AdminPaths.REGISTRY_REMOVE, XXL_JOB + AdminPaths.REGISTRY_REMOVE})
    @Access.ExecutorToken
    ResponseEntity<byte[]> leave(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            Registration registration = registrationOf(group, body);
            if (registration.instance() == null) {
                executors.leaveForeign(group, registration.address(), peerOf(request));
            } else {
                executors.leave(group, registration.instance());
            }
            return DONE;
        });
    }

    /** Responds after the results are committed; no thread of the web server waits for that. */
    @Hidden
    @PostMapping({AdminPaths.CALLBACK, XXL_JOB + AdminPaths.CALLBACK})
    @Access.ExecutorToken
    ResponseEntity<byte[]> callback(HttpServletRequest request) {
        return wire.answerLater(
                request,
                (group, body) ->
                        callbacks.submit(group, CallbackBody.read(body)).thenApply(outcome -> DONE));
    }

    /** Responds after the accepted declarations are committed. */
    @Hidden
    @PostMapping(AdminPaths.DECLARATIONS)
    @Access.ExecutorToken
    ResponseEntity<byte[]> declare(HttpServletRequest request) {
        return wire.answer(request, (group, body) -> {
            DeclaredJobs said = DeclaredJobs.from(Json.readObject(body));
            requireName(group, said.group());
            Executor executor = wire.executorOf(group, said.instanceId());
            Declarer by = new Declarer(
                    group, executor.groupName(), said.instanceId(), request.getRemoteAddr(), TraceId.of(request));
            return Reply.ok(new DeclaredJobs.Answer(declarations.take(by, said)));
        });
    }

    private Registration registrationOf(int group, byte[] body) {
        Registration registration = Registration.from(Json.readObject(body));
        requireName(group, registration.group());
        return registration;
    }

    private void requireName(int group, String name) {
        if (!groups.get(group).name().equals(name)) {
            throw new WireFormatException("the token is not that of group '%s'".formatted(name));
        }
    }

    private static InetAddress peerOf(HttpServletRequest request) {
        try {
            return InetAddress.getByName(request.getRemoteAddr());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("the container gave an address that is none", e);
        }
    }
}
