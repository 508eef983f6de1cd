package io.orth.admin.api;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.orth.admin.registry.Drains;
import io.orth.admin.registry.Executor;
import io.orth.admin.registry.ExecutorHistory;
import io.orth.admin.registry.Executors;
import io.orth.admin.security.Access;
import io.orth.admin.security.Role;
import io.orth.protocol.WorkerMetrics;
import java.time.Instant;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Endpoints for executor instances, newest first. */
@RestController
@RequestMapping("/api/executors")
class ExecutorsApi {

    private final Executors executors;
    private final ExecutorHistory history;
    private final Drains drains;

    ExecutorsApi(Executors executors, ExecutorHistory history, Drains drains) {
        this.executors = executors;
        this.history = history;
        this.drains = drains;
    }

    /**
     * Metrics of an executor.
     *
     * @param cpu load average of the host divided by its cores; null if the system does not report it
     * @param processCpu recent share of the host's cores used by the process, 0 to 1; null if unknown
     */
    record MetricsView(
            Double cpu, WorkerMetrics.Ram ram, int running, int queued, int leakedThreads, Double processCpu) {

        static MetricsView of(WorkerMetrics metrics) {
            return metrics == null
                    ? null
                    : new MetricsView(
                            metrics.cpu() < 0 ? null : metrics.cpu(),
                            metrics.ram(),
                            metrics.running(),
                            metrics.queued(),
                            metrics.leakedThreads(),
                            metrics.processCpu() < 0 ? null : metrics.processCpu());
        }
    }

    record SampleView(Instant at, MetricsView metrics) {}

    /** Executor in a response; values that it does not report are null. */
    record ExecutorView(@JsonUnwrapped Executor executor, Long pid, String version, MetricsView metrics) {

        static ExecutorView of(Executor executor) {
            return new ExecutorView(
                    executor,
                    executor.pid() == 0 ? null : executor.pid(),
                    executor.version().isEmpty() ? null : executor.version(),
                    MetricsView.of(executor.metrics()));
        }
    }

    /** Lists executors. {@code gone} includes those that have been offline or dead for a while. Metrics are kept for a day. */
    @GetMapping
    @Access(Role.VIEWER)
    Page<ExecutorView> list(
            @RequestParam(required = false) String groupId,
            @RequestParam(required = false) String gone,
            PageRequest page) {
        Integer group = Ids.parseOptionalInt("groupId", groupId);
        long before = page.after().orElse(Long.MAX_VALUE);
        List<Executor> found = Filters.flag("gone", gone)
                ? executors.listWithGone(group, before, page.rows())
                : executors.list(group, before, page.rows());
        return Page.of(found, page, Executor::id, ExecutorView::of);
    }

    /** Returns one sample per minute, newest first. */
    @GetMapping("/{id}/metrics")
    @Access(Role.VIEWER)
    List<SampleView> metrics(@PathVariable String id) {
        return history.of(id).stream()
                .map(sample -> new SampleView(sample.at(), MetricsView.of(sample.metrics())))
                .toList();
    }

    /** Drains an executor: it gets no new work, finishes its current work and deregisters. */
    @PostMapping("/{id}/drain")
    @Access(Role.OPERATOR)
    @ResponseStatus(HttpStatus.ACCEPTED)
    ExecutorView drain(@PathVariable String id, ApiCall call) throws InterruptedException {
        call.about("executor", id, null);
        return ExecutorView.of(drains.drain(id));
    }
}
