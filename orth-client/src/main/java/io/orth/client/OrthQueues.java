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
 * Operations on queues and messages. A push takes a {@link Message} or a payload: a text, which is sent unchanged, or any value that can be
 * written as JSON.
 *
 * <p>Each push has an idempotency key that the admin keeps for one day. Therefore a push is repeated if its response is lost, possibly on
 * another admin, and its messages are still added only once.
 */
public final class OrthQueues {

    private static final String PATH = "/api/queues";
    /** Safely below the default request limit of admins. */
    private static final long PART_BYTES = 2 * 1024 * 1024;

    private final Admins admins;
    private final Function<Object, String> payloads;

    OrthQueues(Admins admins, Function<Object, String> payloads) {
        this.admins = admins;
        this.payloads = payloads;
    }

    // --- pushing

    /** Pushes a message. Creates the queue if it does not exist. The message is stored when this method returns. */
    public Pushed push(String queue, Object payloadOrMessage) {
        return pushOnce(UUID.randomUUID().toString(), queue, payloadOrMessage);
    }

    /**
     * Pushes a message once per id: a repeated push with the same id within one day adds nothing and returns the same result, even after a
     * restart of the application.
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
     * Pushes several messages in their order. Each request contains up to 10,000 messages and about 2 MB, and adds all of them or none.
     *
     * @return one result per message, in their order
     * @throws PartialPushException if a request fails after others have succeeded
     * @throws OrthClientException if the first request fails: nothing was pushed, unless its code is {@code UNREACHABLE}
     * @throws IllegalArgumentException if a message is invalid; nothing was pushed
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

    /** Returns an object that pushes in the open transaction of this connection to Orth's database. */
    public TransactionalQueues in(Connection connection) {
        return TransactionalQueues.in(connection).payloads(payloads);
    }

    // --- queues

    /** Returns all queues by name. */
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

    /** Pauses a queue. After this method returns, no message is claimed; running messages continue. */
    public QueueInfo pause(String queue) {
        return Answers.read(admins.call(AdminCall.put(path(queue, "/pause"))), QueueInfo::of);
    }

    public QueueInfo resume(String queue) {
        return Answers.read(admins.call(AdminCall.put(path(queue, "/resume"))), QueueInfo::of);
    }

    // --- messages

    /**
     * Returns messages of one status: waiting and running ones oldest first, others newest first.
     *
     * @param status {@code WAITING}, {@code RUNNING}, {@code DONE}, {@code DEAD} or {@code DISCARDED}
     * @param limit 1 to 500
     * @param after the {@code next} of the previous page; null for the first
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

    /** Retries the dead messages among these, up to 1,000. Returns the number of messages. */
    public int retry(String queue, Collection<Long> ids) {
        return decide(queue, "/messages/retry", ids);
    }

    /** Discards the dead messages among these, up to 1,000. Returns the number of messages. */
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
