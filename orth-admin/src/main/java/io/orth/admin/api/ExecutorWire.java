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
 * Takes calls of executors. The group's token comes first; every answer is HTTP 200 with the outcome in its {@code code}, except
 * that a failure of our own is an HTTP error, so that the executor keeps what it wanted to tell.
 */
@Component
final class ExecutorWire {

    private static final int LONGEST_BODY = 16 * 1024 * 1024;

    private static final String WRONG_TOKEN = "The access token is wrong.";

    private final Groups groups;
    private final Executors executors;

    ExecutorWire(Groups groups, Executors executors) {
        this.groups = groups;
        this.executors = executors;
    }

    ResponseEntity<byte[]> answer(HttpServletRequest request, BiFunction<Integer, byte[], WireMessage> work)
            throws IOException {
        return answerLater(request, (group, body) -> CompletableFuture.completedFuture(work.apply(group, body)))
                .join();
    }

    /** The same where the answer may take its time. */
    CompletableFuture<ResponseEntity<byte[]>> answerLater(
            HttpServletRequest request, BiFunction<Integer, byte[], CompletableFuture<? extends WireMessage>> work) {
        return groups.authenticate(tokenOf(request))
                .map(group -> attempt(request, group, work))
                .orElseGet(() -> CompletableFuture.completedFuture(said(Reply.fail(WRONG_TOKEN))));
    }

    /** What the web server is told: an answer that is there needs no second way through all filters. */
    static Object nowOrLater(CompletableFuture<ResponseEntity<byte[]>> answer) {
        return answer.isDone() && !answer.isCompletedExceptionally() ? answer.join() : answer;
    }

    private static CompletableFuture<ResponseEntity<byte[]>> attempt(
            HttpServletRequest request,
            int group,
            BiFunction<Integer, byte[], CompletableFuture<? extends WireMessage>> work) {
        try {
            byte[] body = request.getInputStream().readNBytes(LONGEST_BODY + 1);
            if (body.length > LONGEST_BODY) {
                return CompletableFuture.completedFuture(
                        said(Reply.fail("the message is longer than %d bytes".formatted(LONGEST_BODY))));
            }
            return work.apply(group, body).handle((reply, problem) -> problem == null ? said(reply) : refused(problem));
        } catch (WireFormatException | OrthException e) {
            return CompletableFuture.completedFuture(refused(e));
        } catch (IOException e) {
            return CompletableFuture.completedFuture(said(Reply.fail("the message broke off")));
        }
    }

    private static ResponseEntity<byte[]> refused(Throwable problem) {
        Throwable cause = problem instanceof CompletionException wrapped ? wrapped.getCause() : problem;
        if (cause instanceof WireFormatException) {
            return said(Reply.fail(cause.getMessage()));
        }
        if (cause instanceof OrthException refusal && refusal.code().owner() != ErrorCode.Owner.ADMIN) {
            return said(Reply.fail(refusal.getMessage()));
        }
        if (cause instanceof RuntimeException ours) {
            throw ours;
        }
        throw new IllegalStateException(cause);
    }

    private static ResponseEntity<byte[]> said(WireMessage reply) {
        return ResponseEntity.ok().contentType(MediaType.APPLICATION_JSON).body(Json.write(reply));
    }

    /** The executor of this instance id, which must be of the group. */
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

    private static String tokenOf(HttpServletRequest request) {
        String token = request.getHeader(Headers.ACCESS_TOKEN);
        return token != null ? token : request.getHeader(Headers.XXL_ACCESS_TOKEN);
    }
}
