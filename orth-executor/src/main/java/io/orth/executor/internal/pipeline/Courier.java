package io.orth.executor.internal.pipeline;

import io.orth.executor.internal.transport.Admins;
import io.orth.executor.internal.transport.Outcome;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.Reply;
import io.orth.protocol.WireFormatException;
import io.orth.protocol.WireMessage;
import io.orth.runtime.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings things of one kind to the admins and their answers back. One that is alone goes at once; what comes while a request is under
 * way goes together with the next.
 *
 * <p>Nothing is given up because no admin can be reached, as long as this is open. What the admins refuse is tried again in smaller
 * company, and alone for a while, while others go past it; then its answer is the {@link RefusedException}.
 */
final class Courier<I, A> {

    /** The admins have refused it again and again, also alone. */
    static final class RefusedException extends Exception {

        private static final long serialVersionUID = 1;

        RefusedException(String reason) {
            super(reason);
        }
    }

    /** The executor has stopped before an admin has answered. */
    static final class StoppedException extends Exception {

        private static final long serialVersionUID = 1;

        StoppedException() {
            super("the executor has stopped");
        }
    }

    /**
     * How they travel.
     *
     * @param what they are, in the plural
     * @param timeout of a request
     * @param patience how long one is tried that the admins refuse
     */
    record Route<I, A>(
            String what,
            String path,
            Function<List<I>, WireMessage> request,
            Function<JsonObject, List<A>> answers,
            Duration timeout,
            Duration patience) {}

    private static final Logger log = LoggerFactory.getLogger(Courier.class);
    private static final int ANSWER_BYTES = 16 * 1024 * 1024;
    private static final long AFTER_INTERRUPT_MILLIS = 1_000;
    private static final Duration AFTER_DEFECT = Duration.ofSeconds(1);

    private final Route<I, A> route;
    private final Admins admins;
    private final ParcelBox<I, A> box = new ParcelBox<>();
    private final Thread thread;
    private boolean failing;

    Courier(Route<I, A> route, Admins admins) {
        this.route = route;
        this.admins = admins;
        this.thread = Threads.service("tasks-" + route.what(), this::live);
    }

    void start() {
        thread.start();
    }

    /** @param weight about how many bytes it takes */
    CompletableFuture<A> send(I item, int weight) {
        CompletableFuture<A> answer = new CompletableFuture<>();
        send(item, weight, answer);
        return answer;
    }

    /** The same with the answer as who waits for it has made it. */
    void send(I item, int weight, CompletableFuture<A> answer) {
        if (!box.add(new ParcelBox.Parcel<>(item, weight, answer))) {
            answer.completeExceptionally(new StoppedException());
        }
    }

    /** How many have no answer. */
    int unanswered() {
        return box.size();
    }

    /** Ends as soon as everything is answered, or at this time; what is not answered by then never is. */
    void stop(long deadlineNanos) throws InterruptedException {
        box.close();
        try {
            thread.join(Math.max(
                    1, Duration.ofNanos(deadlineNanos - System.nanoTime()).toMillis()));
        } finally {
            thread.interrupt();
        }
        thread.join(AFTER_INTERRUPT_MILLIS);
        giveUp();
    }

    private void giveUp() {
        box.empty().forEach(parcel -> parcel.answer().completeExceptionally(new StoppedException()));
    }

    private void live() {
        boolean hasMore = true;
        while (hasMore) {
            try {
                hasMore = carryNext();
            } catch (InterruptedException e) {
                log.debug("stopped before all {} were told", route.what());
                hasMore = false;
            } catch (Throwable problem) {
                // Without this thread every task would wait for ever, so not even an error ends it.
                log.error("{} could not be dealt with", route.what(), problem);
            }
        }
    }

    /** Returns whether there may be more. */
    private boolean carryNext() throws InterruptedException {
        var batch = box.take();
        if (batch.isEmpty()) {
            return false;
        }
        carry(batch);
        return true;
    }

    /** Whatever happens, each is answered, back in the box, or was given up. */
    private void carry(List<ParcelBox.Parcel<I, A>> batch) throws InterruptedException {
        List<A> answers = null;
        try {
            Outcome outcome = admins.post(
                    route.path(),
                    Json.write(route.request()
                            .apply(batch.stream().map(ParcelBox.Parcel::item).toList())),
                    new Admins.Limits(route.timeout(), ANSWER_BYTES));
            if (outcome instanceof Outcome.Refused refused) {
                tellOnce(refused.reason());
                box.refused(batch, retriesOf(batch, refused.reason()));
                return;
            }
            answers = answersIn(outcome, batch.size());
        } catch (InterruptedException e) {
            box.unreachable(batch, Duration.ZERO);
            throw e;
        } catch (Throwable e) {
            box.unreachable(batch, AFTER_DEFECT);
            log.error("{} could not be told", route.what(), e);
            return;
        }
        if (answers == null) {
            box.unreachable(batch);
            return;
        }
        worksAgain();
        box.answered(batch);
        for (int i = 0; i < batch.size(); i++) {
            complete(batch.get(i), answers.get(i));
        }
    }

    /** Those who wait for an answer may have work to do with it; what that throws is no concern of their neighbours'. */
    private void complete(ParcelBox.Parcel<I, A> parcel, A answer) {
        try {
            parcel.answer().complete(answer);
        } catch (Throwable e) {
            log.error("an answer about {} could not be dealt with", route.what(), e);
        }
    }

    /** The batch without those that are given up now. */
    private List<ParcelBox.Parcel<I, A>> retriesOf(List<ParcelBox.Parcel<I, A>> batch, String reason) {
        if (batch.size() > 1) {
            return batch;
        }
        List<ParcelBox.Parcel<I, A>> again = new ArrayList<>(batch);
        again.removeIf(parcel -> parcel.isRefusedSince(route.patience()));
        if (again.isEmpty()) {
            batch.forEach(parcel -> parcel.answer().completeExceptionally(new RefusedException(reason)));
        }
        return again;
    }

    /** Null where it cannot be understood. */
    private List<A> answersIn(Outcome outcome, int asked) {
        if (!(outcome instanceof Outcome.Accepted accepted)) {
            tellOnce(((Outcome.Unreachable) outcome).reason());
            return null;
        }
        try {
            List<A> answers =
                    route.answers().apply(Reply.from(accepted.answer()).payloadObject());
            if (answers.size() == asked) {
                return answers;
            }
            tellOnce("%d things were said and %d answered".formatted(asked, answers.size()));
        } catch (WireFormatException e) {
            tellOnce("an admin's answer cannot be read: " + e.getMessage());
        }
        return null;
    }

    private void worksAgain() {
        if (failing) {
            failing = false;
            log.info("{} of pipelines' tasks are told again", route.what());
        }
    }

    private void tellOnce(String reason) {
        if (!failing) {
            failing = true;
            log.warn("{} of pipelines' tasks cannot be told; trying again: {}", route.what(), reason);
        }
    }
}
