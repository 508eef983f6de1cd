package io.orth.admin.queue;

import io.orth.admin.registry.HeldWork;
import io.orth.protocol.ClaimedMessage;
import io.orth.protocol.MessageResult;
import io.orth.protocol.PushReply.Pushed;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.springframework.dao.DataIntegrityViolationException;

/** A driver with a configurable {@code joinsTransactions} that rejects the payload {@code poison}. */
record OtherDriver(QueueDriver real, boolean joinsTransactions) implements QueueDriver {

    @Override
    public List<Pushed> push(String queue, String id, List<MessageSpec> messages) {
        rejectPoison(messages);
        return real.push(queue, id, messages);
    }

    @Override
    public Handed push(String queue, String id, List<MessageSpec> messages, Claim waiting) {
        rejectPoison(messages);
        return real.push(queue, id, messages, waiting);
    }

    private static void rejectPoison(List<MessageSpec> messages) {
        if (messages.stream().anyMatch(message -> message.payload().equals("poison"))) {
            throw new DataIntegrityViolationException("poison");
        }
    }

    @Override
    public Turn work(String queue, List<MessageResult> results, Claim claim) {
        return real.work(queue, results, claim);
    }

    @Override
    public Optional<List<ClaimedMessage>> tryAgain(String queue, Claim claim) {
        return real.tryAgain(queue, claim);
    }

    @Override
    public List<ClaimedMessage> given(String queue, Claim claim) {
        return real.given(queue, claim);
    }

    @Override
    public Set<Long> retry(String queue, Map<Long, String> payloads) {
        return real.retry(queue, payloads);
    }

    @Override
    public Set<Long> discard(String queue, Collection<Long> waiting, Collection<Long> dead) {
        return real.discard(queue, waiting, dead);
    }

    @Override
    public List<Long> waiting(String queue, long after, Instant pushedBefore, int limit) {
        return real.waiting(queue, after, pushedBefore, limit);
    }

    @Override
    public Map<String, Integer> ready(Collection<String> queues, int most) {
        return real.ready(queues, most);
    }

    @Override
    public Map<String, Instant> nextDue(Collection<String> queues) {
        return real.nextDue(queues);
    }

    @Override
    public List<Released> release(int most, Duration grace, Duration delay) {
        return real.release(most, grace, delay);
    }

    @Override
    public InFlightPart inFlight(String queue, Place from, Duration age, int limit) {
        return real.inFlight(queue, from, age, limit);
    }

    @Override
    public Set<Long> lose(String queue, long executorId, Collection<InFlight> messages, HeldWork.Loss why) {
        return real.lose(queue, executorId, messages, why);
    }
}
