package io.orth.admin.registry;

import io.orth.admin.kernel.Splitter;
import io.orth.admin.registry.HeldWork.Finished;
import io.orth.admin.registry.HeldWork.Held;
import io.orth.admin.registry.HeldWork.Loss;
import io.orth.protocol.KnownRuns;
import io.orth.protocol.KnownRuns.Known;
import io.orth.protocol.KnownRuns.State;
import io.orth.protocol.KnownRunsRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Inquiries about one kind of work, including the work in doubt from earlier rounds. Used by one thread. */
final class WorkVerification<T extends Held> {

    private static final Logger log = LoggerFactory.getLogger(WorkVerification.class);
    private static final int BATCH = 1_000;
    private static final int MAX_DOUBTS = 10_000;

    /** Response of an executor about a piece of work, with the number of consecutive times it was given. */
    private record Doubt<T>(T work, boolean finished, int responses) {}

    private record Question<T>(Target target, List<T> works, Future<KnownRuns> response) {}

    private final HeldWork<T> kind;
    private final Executors executors;
    private final WorkInquiry inquiry;
    private final ExecutorService askers;
    private final Duration timeout;

    /** Consecutive rounds in which an executor could not be asked, by executor id. */
    private final Map<Long, Integer> failures = new HashMap<>();

    /** Doubts by log id. */
    private final Map<Long, Doubt<T>> doubts = new LinkedHashMap<>();

    WorkVerification(
            HeldWork<T> kind, Executors executors, WorkInquiry inquiry, ExecutorService askers, Duration timeout) {
        this.kind = kind;
        this.executors = executors;
        this.inquiry = inquiry;
        this.askers = askers;
        this.timeout = timeout;
    }

    void round(Duration age) throws InterruptedException {
        Map<Long, T> asked = new LinkedHashMap<>();
        doubts.values().forEach(doubt -> asked.put(doubt.work().logId(), doubt.work()));
        kind.next(age).forEach(work -> asked.put(work.logId(), work));
        Set<Long> responded = new HashSet<>();
        List<Question<T>> failed = new ArrayList<>();
        for (Question<T> question : ask(asked.values())) {
            KnownRuns response = responseTo(question);
            if (response == null) {
                failed.add(question);
            } else {
                responded.add(question.target().executorId());
                settle(question.target(), question.works(), response);
            }
        }
        failures.keySet().removeAll(responded);
        failed.removeIf(question -> responded.contains(question.target().executorId()));
        countFailures(failed);
        failed.forEach(this::giveUp);
    }

    private void countFailures(List<Question<T>> failed) {
        if (failures.size() > MAX_DOUBTS) {
            failures.clear();
        }
        failed.stream()
                .map(question -> question.target().executorId())
                .distinct()
                .forEach(executor -> failures.merge(executor, 1, Integer::sum));
    }

    /**
     * Declares overdue work lost if its executor could not be asked often enough. The executor is online, so nothing else would finish the
     * work.
     */
    private void giveUp(Question<T> question) {
        if (failures.getOrDefault(question.target().executorId(), 0) < LostWorkDetector.PATIENT) {
            return;
        }
        List<T> overdue = question.works().stream()
                .filter(work -> work.age().compareTo(timeout) > 0)
                .toList();
        overdue.forEach(work -> doubts.remove(work.logId()));
        record(
                question.target(),
                overdue,
                some -> kind.lose(question.target(), some, Loss.NOT_ASKED),
                "declared work lost that its executor could not be asked about");
    }

    private List<Question<T>> ask(Collection<T> works) {
        Map<Long, List<T>> byExecutor = works.stream().collect(Collectors.groupingBy(Held::executorId));
        List<Question<T>> questions = new ArrayList<>();
        for (Target target : byExecutor.isEmpty() ? List.<Target>of() : executors.targets(byExecutor.keySet())) {
            if (target.online() && !target.isForeign()) {
                ask(target, byExecutor.remove(target.executorId()), questions);
            }
        }
        // All other executors are offline, dead or deleted by now; other rules declare their work lost.
        failures.keySet().removeAll(byExecutor.keySet());
        byExecutor.values().forEach(some -> some.forEach(work -> doubts.remove(work.logId())));
        return questions;
    }

    private void ask(Target target, List<T> works, List<Question<T>> questions) {
        for (int from = 0; from < works.size(); from += BATCH) {
            List<T> some = works.subList(from, Math.min(works.size(), from + BATCH));
            KnownRunsRequest request =
                    new KnownRunsRequest(some.stream().map(Held::logId).toList());
            try {
                questions.add(new Question<>(target, some, askers.submit(() -> inquiry.known(target, request))));
            } catch (RejectedExecutionException e) {
                log.atDebug().addKeyValue("executor", target).log("no thread to ask an executor about its work; later");
            }
        }
    }

    /** Returns null if the executor cannot be asked now; the next round asks again. */
    private KnownRuns responseTo(Question<T> question) throws InterruptedException {
        try {
            return question.response().get();
        } catch (ExecutionException e) {
            log.atDebug()
                    .addKeyValue("executor", question.target())
                    .setCause(e.getCause())
                    .log("an executor could not be asked about its {}", kind.name());
            return null;
        }
    }

    private void settle(Target target, List<T> works, KnownRuns response) {
        Map<Long, Known> known = new HashMap<>();
        response.runs().forEach(each -> known.put(each.logId(), each));
        List<Finished<T>> finished = new ArrayList<>();
        List<T> unknown = new ArrayList<>();
        for (T work : works) {
            Known found = known.get(work.logId());
            if (found != null && found.state() != State.FINISHED) {
                doubts.remove(work.logId());
            } else if (isDecided(work, response, found)) {
                doubts.remove(work.logId());
                if (found == null) {
                    unknown.add(work);
                } else {
                    finished.add(new Finished<>(work, found));
                }
            }
        }
        record(target, finished, some -> kind.finish(target, some), "recorded results that had been lost");
        record(
                target,
                unknown,
                some -> kind.lose(target, some, Loss.NOT_HELD),
                "declared work lost that its executor does not have");
    }

    private boolean isDecided(T work, KnownRuns response, Known found) {
        Doubt<T> before = doubts.get(work.logId());
        boolean finished = found != null;
        int responses = before != null && before.finished() == finished ? before.responses() + 1 : 1;
        if (responses >= kind.responsesNeeded(response, found)) {
            return true;
        }
        if (before != null || doubts.size() < MAX_DOUBTS) {
            doubts.put(work.logId(), new Doubt<>(work, finished, responses));
        }
        return false;
    }

    /** Records findings. If one cannot be recorded, the others still are. */
    private <V> void record(Target target, List<V> findings, ToIntFunction<List<V>> step, String event) {
        if (findings.isEmpty()) {
            return;
        }
        AtomicInteger recorded = new AtomicInteger();
        Splitter.run(
                findings,
                some -> recorded.addAndGet(step.applyAsInt(some)),
                (one, why) -> log.atWarn()
                        .setCause(why)
                        .log("a finding about {} could not be recorded; they are asked about again", kind.name()));
        if (recorded.get() > 0) {
            log.atWarn()
                    .addKeyValue("executor", target)
                    .addKeyValue(kind.name(), recorded.get())
                    .log(event);
        }
    }
}
