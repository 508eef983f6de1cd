package io.orth.admin.queue;

import io.orth.admin.queue.QueueDriver.InFlight;
import io.orth.admin.queue.QueueDriver.InFlightPart;
import io.orth.admin.queue.QueueDriver.Place;
import io.orth.admin.registry.HeldWork;
import io.orth.admin.registry.LostWorkDetector;
import io.orth.admin.registry.Target;
import io.orth.admin.systemlog.LogLevel;
import io.orth.admin.systemlog.SystemLog;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * Messages in flight as work that executors hold. Includes messages of pipeline tasks: if an executor no longer has the message of a task,
 * the reconciler schedules another attempt. Not thread-safe.
 */
@Component
final class HeldMessages implements HeldWork<InFlight> {

    private static final Logger log = LoggerFactory.getLogger(HeldMessages.class);

    /** Maximum number of messages per round, and per priority and read. */
    private static final int MAX_READ = 20_000;

    private static final int PART = 1_000;

    /** Minimum cost of a read, in messages. */
    private static final int PART_COST = 20;

    private final QueueDriver driver;
    private final Queues queues;
    private final InFlightRepository repository;
    private final QueueSignals signals;
    private final SystemLog systemLog;

    /** Queues that this walk has not finished. {@code place} is the position in the first of them. */
    private final Deque<String> left = new ArrayDeque<>();

    private Place place = Place.START;

    HeldMessages(
            QueueDriver driver,
            Queues queues,
            InFlightRepository repository,
            QueueSignals signals,
            SystemLog systemLog) {
        this.driver = driver;
        this.queues = queues;
        this.repository = repository;
        this.signals = signals;
        this.systemLog = systemLog;
    }

    @Override
    public String name() {
        return "messages";
    }

    @Override
    public List<InFlight> next(Duration age) {
        if (left.isEmpty()) {
            left.addAll(repository.queues());
        }
        List<InFlight> found = new ArrayList<>();
        int read = 0;
        while (!left.isEmpty() && read < MAX_READ) {
            InFlightPart part = part(left.element(), age);
            found.addAll(part.messages());
            read += Math.max(PART_COST, part.read());
            place = part.next().orElse(Place.START);
            if (part.next().isEmpty()) {
                left.remove();
            }
        }
        return found;
    }

    /** Reads a part of a queue. If that fails, this walk skips the queue. */
    private InFlightPart part(String queue, Duration age) {
        try {
            return driver.inFlight(queue, place, age, PART);
        } catch (RuntimeException e) {
            log.atWarn().setCause(e).addKeyValue("queue", queue).log("messages in flight could not be read");
            return InFlightPart.NONE;
        }
    }

    /** An executor knows the result of each message individually, so an unknown message has no result in transit. */
    @Override
    public int responsesNeeded(KnownRuns response, Known known) {
        if (known == null) {
            return 2;
        }
        return known.unsent() ? LostWorkDetector.PATIENT : 1;
    }

    @Override
    public int finish(Target executor, List<Finished<InFlight>> finished) {
        return finished.stream()
                .collect(Collectors.groupingBy(
                        one -> one.work().queue(),
                        Collectors.mapping(
                                one -> Queues.remembered(
                                        one.work().id(), one.work().logId(), one.result()),
                                Collectors.toList())))
                .entrySet()
                .stream()
                .mapToInt(each -> queues.record(each.getKey(), executor.executorId(), each.getValue()))
                .sum();
    }

    @Override
    public int lose(Target executor, List<InFlight> without, Loss why) {
        int lost = 0;
        for (Map.Entry<String, List<InFlight>> each :
                without.stream().collect(Collectors.groupingBy(InFlight::queue)).entrySet()) {
            String queue = each.getKey();
            int some = driver.lose(queue, executor.executorId(), each.getValue(), why)
                    .size();
            if (some > 0) {
                signals.pushed(queue);
                systemLog.publish(
                        LogLevel.WARN,
                        "%d messages of queue %s go back: their executor %s".formatted(some, queue, why.wordsOfMany()),
                        executor.instanceId(),
                        queue);
            }
            lost += some;
        }
        return lost;
    }
}
