package io.orth.admin.queue;

import io.orth.admin.kernel.DatabaseTrouble;
import io.orth.admin.kernel.FaultPoints;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Splitter;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.queue.InboxRepository.Entry;
import io.orth.admin.queue.InboxRepository.Refused;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.Json;
import io.orth.protocol.JsonObject;
import io.orth.protocol.NewMessage;
import io.orth.protocol.PushRequest;
import io.orth.protocol.TextLimit;
import io.orth.protocol.WireFormatException;
import io.orth.runtime.Duty;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Moves pushes that applications made inside their own transactions to their queues. One node at a time processes a queue, so messages keep
 * their order. A push that fails is parked and does not block others.
 */
@Component
final class InboxIntake implements Duty {

    private static final int ENTRIES = 500;
    private static final long BYTES = 4 * 1024 * 1024;
    /** Maximum number of queues per pass. A stop request is noticed between passes. */
    private static final int QUEUES = 100;

    private final InboxRepository inbox;
    private final Queues queues;
    private final QueueDriver driver;
    private final QueueSignals signals;
    private final Transactions transactions;
    private final SystemLog log;
    /** The queue that was processed last. Used by the loop's thread only. */
    private String last = "";

    InboxIntake(
            JdbcClient jdbc,
            Queues queues,
            QueueDriver driver,
            QueueSignals signals,
            Transactions transactions,
            SystemLog log) {
        this.inbox = new InboxRepository(jdbc);
        this.queues = queues;
        this.driver = driver;
        this.signals = signals;
        this.transactions = transactions;
        this.log = log;
    }

    /** Result of one step: the number of entries that left the inbox, and those of them that were parked. */
    private record Taken(int entries, List<Refused> refused) {

        static final Taken NOTHING = new Taken(0, List.of());

        static Taken all(List<Taken> parts) {
            return new Taken(
                    parts.stream().mapToInt(Taken::entries).sum(),
                    parts.stream().flatMap(part -> part.refused().stream()).toList());
        }
    }

    /** An entry and the messages to push. */
    private record Pushable(long id, List<MessageSpec> messages) {}

    @Override
    public Pass run() {
        boolean fromTheFirst = last.isEmpty();
        int taken = 0;
        for (int i = 0; i < QUEUES; i++) {
            Optional<String> next = inbox.queueAfter(last);
            last = next.orElse("");
            if (next.isEmpty()) {
                return taken > 0 || !fromTheFirst ? Pass.MORE : Pass.DRAINED;
            }
            taken += serve(next.get());
        }
        // If other nodes hold all of these queues, the next regular pass is early enough.
        return taken > 0 ? Pass.MORE : Pass.DRAINED;
    }

    private int serve(String name) {
        Taken taken = taken(name);
        if (taken.entries() > taken.refused().size()) {
            signals.pushed(name);
        }
        if (!taken.refused().isEmpty()) {
            Refused first = taken.refused().get(0);
            log.publish(
                    LogLevel.WARN,
                    "%d pushes for queue %s are parked, the first is %d: %s"
                            .formatted(taken.refused().size(), name, first.id(), first.error()),
                    null,
                    name);
        }
        return taken.entries();
    }

    private Taken taken(String name) {
        Queue queue;
        try {
            queue = queues.open(name);
        } catch (OrthException e) {
            if (!DatabaseTrouble.isOfTheItem(e)) {
                throw e;
            }
            return parkAll(name, e);
        }
        return driver.joinsTransactions() ? move(queue) : copy(queue);
    }

    /** Parks the entries of a queue that cannot be created, for example because there are too many queues. */
    private Taken parkAll(String name, OrthException why) {
        List<Refused> refused = transactions.call(() -> {
            List<Refused> all = inbox.take(name, ENTRIES, BYTES).stream()
                    .map(entry -> new Refused(entry.id(), words(why)))
                    .toList();
            inbox.park(all);
            return all;
        });
        return new Taken(refused.size(), refused);
    }

    // --- drivers that join the transaction: one step moves entries from the inbox to the queue

    private Taken move(Queue queue) {
        List<Long> tried = new ArrayList<>();
        List<Taken> parts = new ArrayList<>();
        try {
            parts.add(move(queue, ENTRIES, tried));
        } catch (RuntimeException e) {
            // Each part takes the first remaining entries, which another node may have changed in the meantime.
            Splitter.split(
                    List.copyOf(tried),
                    e,
                    part -> parts.add(move(queue, part.size(), tried)),
                    (id, why) -> parts.add(new Taken(1, List.of(park(tried.get(0), why)))));
        }
        return Taken.all(parts);
    }

    private Taken move(Queue queue, int limit, List<Long> tried) {
        return transactions.call(() -> {
            tried.clear();
            if (!inbox.lock(queue)) {
                return Taken.NOTHING;
            }
            List<Entry> entries = inbox.take(queue.name(), limit, BYTES);
            entries.forEach(entry -> tried.add(entry.id()));
            List<Refused> refused = new ArrayList<>();
            List<Pushable> pushable = pushable(entries, refused);
            driver.push(
                    queue.name(),
                    null,
                    pushable.stream()
                            .flatMap(entry -> entry.messages().stream())
                            .toList());
            FaultPoints.reach(FaultPoints.INBOX_AFTER_PUSH);
            inbox.delete(pushable.stream().map(Pushable::id).toList());
            inbox.park(refused);
            return new Taken(pushable.size() + refused.size(), refused);
        });
    }

    // --- other drivers: push, then delete from the inbox; the idempotency key prevents duplicates

    private Taken copy(Queue queue) {
        List<Refused> refused = new ArrayList<>();
        List<Entry> entries = inbox.take(queue.name(), ENTRIES, BYTES);
        List<Pushable> pushable = pushable(entries, refused);
        inbox.park(refused);
        int taken = pushable.size() + refused.size();
        for (Pushable entry : pushable) {
            Splitter.run(List.of(entry), one -> copy(queue, entry), (one, why) -> refused.add(park(entry.id(), why)));
        }
        return new Taken(taken, refused);
    }

    private void copy(Queue queue, Pushable entry) {
        // Idempotency keys of callers contain no slash.
        driver.push(queue.name(), "inbox/" + entry.id(), entry.messages());
        FaultPoints.reach(FaultPoints.INBOX_AFTER_PUSH);
        inbox.delete(List.of(entry.id()));
    }

    // ---

    /** Returns as many entries as one push may contain; the rest follow in the next step. */
    private List<Pushable> pushable(List<Entry> entries, List<Refused> refused) {
        List<Pushable> pushable = new ArrayList<>(entries.size());
        int messages = 0;
        for (Entry entry : entries) {
            try {
                List<MessageSpec> specs = specs(entry);
                messages += specs.size();
                if (messages > PushRequest.MOST) {
                    break;
                }
                pushable.add(new Pushable(entry.id(), specs));
            } catch (OrthException | WireFormatException e) {
                refused.add(new Refused(entry.id(), words(e)));
            }
        }
        return pushable;
    }

    private List<MessageSpec> specs(Entry entry) {
        List<JsonObject> messages = Json.readArray(entry.messages().getBytes(StandardCharsets.UTF_8));
        List<MessageSpec> specs = new ArrayList<>(messages.size());
        for (int i = 0; i < messages.size(); i++) {
            try {
                specs.add(MessageSpec.of(NewMessage.from(messages.get(i))).delayedFrom(entry.createdAt()));
            } catch (OrthException e) {
                throw new WireFormatException("messages[%d].%s".formatted(i, e.getMessage()), e);
            }
        }
        queues.check(specs);
        return specs;
    }

    private Refused park(long id, RuntimeException why) {
        Refused refused = new Refused(id, words(why));
        inbox.park(List.of(refused));
        return refused;
    }

    private static String words(RuntimeException why) {
        String message = why.getMessage() == null ? why.getClass().getSimpleName() : why.getMessage();
        return TextLimit.STORED.cut(message.replace("\0", ""));
    }
}
