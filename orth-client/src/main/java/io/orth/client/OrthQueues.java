package io.orth.client;

import io.orth.client.AdminCall.Query;
import io.orth.protocol.JsonObject;
import io.orth.protocol.PushRequest;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;

/**
 * Queues: pushing messages, and what becomes of them. What is pushed is a {@link Message} or a payload: a text, which is sent as it
 * is, or anything that can be JSON.
 *
 * <p>Each push has an id that the admin keeps for a day. So a push is repeated when its answer is lost, on another admin if need be,
 * and its messages are added once.
 */
public final class OrthQueues {

    private static final String PATH = "/api/queues";
    /** What admins take in one request unless they are set up otherwise, with room to spare. */
    private static final long PART_BYTES = 2 * 1024 * 1024;

    private final Admins admins;
    private final Function<Object, String> payloads;

    OrthQueues(Admins admins, Function<Object, String> payloads) {
        this.admins = admins;
        this.payloads = payloads;
    }

    // --- pushing

    /** Puts a message in; the queue is made where there is none. It is kept safe when this returns. */
    public Pushed push(String queue, Object payloadOrMessage) {
        return pushOnce(UUID.randomUUID().toString(), queue, payloadOrMessage);
    }

    /**
     * Puts a message in, once for an id: the same id again, within a day, adds nothing and gets the same answer, even when the
     * application was started anew in between.
     *
     * @param id 1 to 100 letters, digits, dots, dashes, colons or underscores
     */
    public Pushed pushOnce(String id, String queue, Object payloadOrMessage) {
        AdminCall call = AdminCall.once(
                path(queue, "/messages"),
                Checks.name("id", id),
                Message.from(payloadOrMessage).toBody(payloads));
        return Answers.read(admins.call(call), OrthQueues::pushed);
    }

    /**
     * Puts many messages in, in their order. Up to 10,000 (and about 2 MB) go in one request, all or none; more go in several.
     *
     * @return one answer for each, in their order
     * @throws PartialPushException if a request fails after others have succeeded
     * @throws OrthClientException if the first fails: nothing was pushed, unless its code is {@code UNREACHABLE}
     * @throws IllegalArgumentException if a message cannot be pushed by anybody; nothing was
     */
    public List<Pushed> pushAll(String queue, Collection<?> payloadsOrMessages) {
        List<Map<String, Object>> bodies = new ArrayList<>(payloadsOrMessages.size());
        for (Object each : payloadsOrMessages) {
            bodies.add(Message.from(each).toBody(payloads));
        }
        String path = path(queue, "/messages/bulk");
        List<Pushed> pushed = new ArrayList<>(bodies.size());
        while (pushed.size() < bodies.size()) {
            int end = Parts.end(bodies, pushed.size(), PushRequest.MOST, PART_BYTES);
            pushed.addAll(pushPart(path, bodies, pushed, end));
        }
        return pushed;
    }

    private List<Pushed> pushPart(String path, List<Map<String, Object>> bodies, List<Pushed> before, int end) {
        List<Map<String, Object>> part = bodies.subList(before.size(), end);
        try {
            AdminCall call = AdminCall.once(path, UUID.randomUUID().toString(), Map.of("messages", part));
            List<Pushed> pushed = Answers.read(
                    admins.call(call),
                    json -> json.objects("items").stream()
                            .map(OrthQueues::pushed)
                            .toList());
            if (pushed.size() != part.size()) {
                throw OrthClientException.unreachable(
                        "%d messages were answered with %d".formatted(part.size(), pushed.size()), null);
            }
            return pushed;
        } catch (OrthClientException e) {
            throw before.isEmpty() ? e : new PartialPushException(before, end, e);
        }
    }

    private static Pushed pushed(JsonObject json) {
        return new Pushed(json.requiredNumber("id"), json.flag("duplicate"));
    }

    /** Pushes inside the transaction that is open on this connection to Orth's database. */
    public TransactionalQueues in(Connection connection) {
        return TransactionalQueues.in(connection).payloads(payloads);
    }

    // --- queues

    /** All there are, by name. */
    public List<QueueInfo> list() {
        List<QueueInfo> all = new ArrayList<>();
        String after = null;
        do {
            String path = new Query().with("after", after).after(PATH);
            Page<QueueInfo> page = Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, QueueInfo::of));
            all.addAll(page.items());
            after = page.next();
        } while (after != null);
        return all;
    }

    public QueueInfo get(String queue) {
        return Answers.read(admins.call(AdminCall.get(path(queue, ""))), QueueInfo::of);
    }

    /** Nothing is given out from the moment this returns; what runs goes on. */
    public QueueInfo pause(String queue) {
        return Answers.read(admins.call(AdminCall.put(path(queue, "/pause"))), QueueInfo::of);
    }

    public QueueInfo resume(String queue) {
        return Answers.read(admins.call(AdminCall.put(path(queue, "/resume"))), QueueInfo::of);
    }

    // --- messages

    /**
     * Messages of one status: those that wait or run the oldest first, others the latest first.
     *
     * @param status {@code WAITING}, {@code RUNNING}, {@code DONE}, {@code DEAD} or {@code DISCARDED}
     * @param limit 1 to 500
     * @param after the {@code next} of the page before; null for the first
     */
    public Page<MessageInfo> messages(String queue, String status, int limit, String after) {
        String path = new Query()
                .with("status", status)
                .with("limit", limit)
                .with("after", after)
                .after(path(queue, "/messages"));
        return Answers.read(admins.call(AdminCall.get(path)), json -> Page.of(json, MessageInfo::of));
    }

    public MessageInfo message(String queue, long id) {
        return Answers.read(admins.call(AdminCall.get(path(queue, "/messages/" + id))), MessageInfo::of);
    }

    /** Gives those of up to 1,000 messages that were given up another chance; returns how many. */
    public int retry(String queue, Collection<Long> ids) {
        return decide(queue, "/messages/retry", ids);
    }

    /** Ends those of up to 1,000 messages that were given up; returns how many. */
    public int discard(String queue, Collection<Long> ids) {
        return decide(queue, "/messages/discard", ids);
    }

    private int decide(String queue, String what, Collection<Long> ids) {
        Map<String, Object> body =
                Map.of("ids", ids.stream().map(id -> Long.toString(id)).toList());
        return Answers.read(
                admins.call(AdminCall.post(path(queue, what), body)), json -> json.requiredInteger("count"));
    }

    private static String path(String queue, String rest) {
        return "%s/%s%s".formatted(PATH, Checks.inPath("queue", Checks.name("queue", queue)), rest);
    }
}
