package io.orth.admin.api;

import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.registry.Executor;
import io.orth.admin.registry.Executors;
import io.orth.admin.registry.Groups;
import io.orth.protocol.Headers;
import io.orth.protocol.Json;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/**
 * Handling of calls from executors. The group's token is checked first. Every response is HTTP 200 with the outcome in {@code code}, except
 * that a failure of the admin is an HTTP error, so that the executor keeps its data and sends it again.
 */
@Component
final class ExecutorWire {

    private static final int LONGEST_BODY = 16 * 1024 * 1024;

    static final String WRONG_TOKEN = "The access token is wrong.";

    private final Groups groups;
    private final Executors executors;
    private final LateAnswers later;

    ExecutorWire(Groups groups, Executors executors, LateAnswers later) {
        this.groups = groups;
        this.executors = executors;
        this.later = later;
    }

    ResponseEntity<byte[]> answer(HttpServletRequest request, BiFunction<Integer, byte[], WireMessage> work) {
        return answer(request, work, () -> {});
    }

    /** @param onWrongToken called if no group has the token */
    ResponseEntity<byte[]> answer(
            HttpServletRequest request, BiFunction<Integer, byte[], WireMessage> work, Runnable onWrongToken) {
        return answerLater(
                request, (group, body) -> CompletableFuture.completedFuture(work.apply(group, body)), onWrongToken);
    }

    /** Handles a call whose response may take time. In that case it returns null, and the response is written once it is available. */
    ResponseEntity<byte[]> answerLater(
            HttpServletRequest request, BiFunction<Integer, byte[], CompletableFuture<? extends WireMessage>> work) {
        return answerLater(request, work, () -> {});
    }

    private ResponseEntity<byte[]> answerLater(
            HttpServletRequest request,
            BiFunction<Integer, byte[], CompletableFuture<? extends WireMessage>> work,
            Runnable onWrongToken) {
        CompletableFuture<byte[]> answer = groups.authenticate(tokenOf(request))
                .map(group -> attempt(request, group, work))
                .orElseGet(() -> {
                    onWrongToken.run();
                    return said(Reply.fail(WRONG_TOKEN));
                });
        if (answer.isDone()) {
            return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(now(answer));
        }
        later.await(request, answer);
        return null;
    }

    private static byte[] now(CompletableFuture<byte[]> answer) {
        try {
            return answer.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException ours ? ours : e;
        }
    }

    private static CompletableFuture<byte[]> attempt(
            HttpServletRequest request,
            int group,
            BiFunction<Integer, byte[], CompletableFuture<? extends WireMessage>> work) {
        try {
            byte[] body = request.getInputStream().readNBytes(LONGEST_BODY + 1);
            if (body.length > LONGEST_BODY) {
                return said(Reply.fail("the message is longer than %d bytes".formatted(LONGEST_BODY)));
            }
            return work.apply(group, body)
                    .handle((reply, problem) -> Json.write(problem == null ? reply : refused(problem)));
        } catch (WireFormatException | OrthException e) {
            return said(refused(e));
        } catch (IOException e) {
            return said(Reply.fail("the message broke off"));
        }
    }

    /** Returns the reply for a rejection; rethrows a failure of the admin. */
    private static WireMessage refused(Throwable problem) {
        Throwable cause = problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
        if (cause instanceof WireFormatException) {
            return Reply.fail(cause.getMessage());
        }
        if (cause instanceof OrthException refusal && isFinal(refusal.code())) {
            return Reply.fail(refusal.getMessage());
        }
        if (cause instanceof RuntimeException ours) {
            throw ours;
        }
        throw new IllegalStateException(cause);
    }

    /** Returns whether the executor may discard its data; otherwise it keeps the data and sends it again. */
    private static boolean isFinal(ErrorCode code) {
        return code.owner() != ErrorCode.Owner.ADMIN && code != ErrorCode.REQUEST_TIMEOUT;
    }

    private static CompletableFuture<byte[]> said(WireMessage reply) {
        return CompletableFuture.completedFuture(Json.write(reply));
    }

    /** Returns the executor with this instance id, which must belong to the group. */
    Executor executorOf(int group, String instanceId) {
        if (instanceId.chars().anyMatch(Character::isISOControl)) {
            throw new WireFormatException("'instanceId' must not contain control characters");
        }
        Executor executor = executors.get(instanceId);
        if (executor.groupId() != group) {
            throw new WireFormatException("instance %s belongs to another group".formatted(instanceId));
        }
        return executor;
    }

    /** Returns the token of the request; null if there is none. */
    static String tokenOf(HttpServletRequest request) {
        String token = request.getHeader(Headers.ACCESS_TOKEN);
        return token != null ? token : request.getHeader(Headers.XXL_ACCESS_TOKEN);
    }
}
