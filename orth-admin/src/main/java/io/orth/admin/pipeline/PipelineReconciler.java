package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.TransactionException;

/**
 * Brings runs forward and puts right what went wrong with them. On every node, one run at a time; whoever has a run's row has the run.
 * Also on demand, and then, if only that is wanted, without leaving a trace.
 */
public final class PipelineReconciler implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(PipelineReconciler.class);
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_PASSES = 10_000;

    private final JdbcClient jdbc;
    private final RootRepository roots;
    private final PipelineRunRepository runs;
    private final RootPass pass;
    private final PipelineMetrics metrics;
    private final Transactions transactions;
    private final SystemLog log;
    private final PipelineProperties properties;
    private final Runnable dispatch;
    private final Set<Long> hinted = ConcurrentHashMap.newKeySet();
    private volatile Runnable wake = () -> {};

    /** @param dispatch there may be something new in the outbox */
    PipelineReconciler(
            JdbcClient jdbc,
            PipelineRunRepository runs,
            RootPass pass,
            PipelineMetrics metrics,
            Transactions transactions,
            SystemLog log,
            PipelineProperties properties,
            Runnable dispatch) {
        this.jdbc = jdbc;
        this.roots = new RootRepository(jdbc);
        this.runs = runs;
        this.pass = pass;
        this.metrics = metrics;
        this.transactions = transactions;
        this.log = log;
        this.properties = properties;
        this.dispatch = dispatch;
    }

    /** @param loop makes this duty run a pass */
    void connect(Runnable loop) {
        wake = loop;
    }

    /** Something of this run has changed: it is looked at soon. Never waits. */
    void hint(long root) {
        if (hinted.add(root)) {
            wake.run();
        }
    }

    @Override
    public Pass run() {
        List<Long> told = hinted.stream().limit(MOST_AT_ONCE).toList();
        told.forEach(hinted::remove);
        for (long root : told) {
            if (look(() -> roots.claim(root)) == Looked.MORE) {
                hinted.add(root);
            }
        }
        int looked = 0;
        while (looked < MOST_AT_ONCE && look(roots::claimDue) != Looked.NONE) {
            looked++;
        }
        return hinted.isEmpty() && looked < MOST_AT_ONCE ? Pass.DRAINED : Pass.MORE;
    }

    /** What came of looking for a run. */
    private enum Looked {
        /** There is none, or another has it. */
        NONE,
        DONE,
        /** There is more to be done about it at once. */
        MORE
    }

    /**
     * A run that cannot be dealt with is put off, and keeps no other waiting.
     *
     * @param claim locks one run, or finds none; in the transaction
     */
    private Looked look(Supplier<Optional<Long>> claim) {
        AtomicReference<Long> claimed = new AtomicReference<>();
        try {
            return reconcile(claim, claimed)
                    .map(report -> report.more() ? Looked.MORE : Looked.DONE)
                    .orElse(Looked.NONE);
        } catch (RuntimeException e) {
            // A connection that was cut off, as it is where this node slept, is not the run's fault: the next look may
            // be soon.
            if (claimed.get() == null || e instanceof TransactionException) {
                throw e;
            }
            putOff(claimed.get(), e);
            return Looked.DONE;
        }
    }

    private Optional<Reconciliation> reconcile(Supplier<Optional<Long>> claim, AtomicReference<Long> claimed) {
        AtomicBoolean auditIsDue = new AtomicBoolean();
        Optional<Reconciliation> done = transactions.call(() -> {
            Optional<Long> root = claim.get();
            claimed.set(root.orElse(null));
            auditIsDue.set(root.filter(roots::isAuditDue).isPresent());
            return auditIsDue.get() ? Optional.empty() : root.map(id -> pass.run(id, null));
        });
        return tell(auditIsDue.get() ? audit(claimed.get(), false) : done);
    }

    /**
     * Searches first, which may take its time; only where something looks wrong does it have the run for itself for a moment.
     *
     * @param wait for others who have the run
     */
    private Optional<Reconciliation> audit(long root, boolean wait) {
        Suspicion suspicion = roots.suspect(root, properties.stuckAfter(), RootPass.CHUNK);
        return transactions.call(() -> {
            boolean alone = wait || !suspicion.isNone();
            boolean mine = (alone ? runs.lock(root) : roots.claim(root)).isPresent();
            return mine ? Optional.of(pass.run(root, suspicion)) : Optional.empty();
        });
    }

    private void putOff(long root, RuntimeException failure) {
        String problem = TaskEndings.problem("NOT_RECONCILED", String.valueOf(failure.getMessage()), null);
        transactions.run(() -> {
            roots.putOff(root, properties.auditEvery());
            new ExecutionLog(jdbc)
                    .append(
                            List.of(new ExecutionLog.Line(
                                    root, null, ExecutionLog.ERROR, "{\"error\":%s}".formatted(problem))),
                            roots.now());
        });
        metrics.notReconciled();
        lines.atError().addKeyValue("rootJobId", root).setCause(failure).log("pipeline run cannot be brought forward");
        log.error("pipeline run %d cannot be brought forward: %s".formatted(root, failure.getMessage()));
    }

    private Optional<Reconciliation> tell(Optional<Reconciliation> done) {
        done.filter(report -> !report.actions().isEmpty()).ifPresent(report -> {
            dispatch.run();
            AboutRun.in(lines.atInfo(), report.rootId(), report.traceId())
                    .addKeyValue("status", report.status())
                    .addKeyValue("did", report.actions())
                    .log("brought a pipeline run forward");
            report.actions().stream()
                    .filter(action -> action.kind().startsWith("RUN_") && report.status() != PipelineRunStatus.FAILED)
                    .forEach(action -> log.info(
                            "%s is %s".formatted(AboutRun.text(report.rootId(), report.traceId()), report.status())));
        });
        return done;
    }

    /**
     * Does at once what would be done about a run sooner or later, with a full audit.
     *
     * @param dryRun whether it is only to be said what would be done next
     */
    public Reconciliation reconcile(long root, boolean dryRun) {
        if (runs.find(root).isEmpty()) {
            throw OrthException.notFound("pipeline run", root);
        }
        if (dryRun) {
            return rehearse(root);
        }
        List<Reconciliation.Action> all = new ArrayList<>();
        Reconciliation last = audit(root, true).orElseThrow();
        all.addAll(last.actions());
        for (int i = 0; i < MOST_PASSES && last.more(); i++) {
            last = transactions.call(() -> {
                runs.lock(root);
                return pass.run(root, null);
            });
            all.addAll(last.actions());
        }
        Reconciliation report = new Reconciliation(root, last.traceId(), last.status(), all, last.more());
        tell(Optional.of(report));
        return report;
    }

    private Reconciliation rehearse(long root) {
        Suspicion suspicion = roots.suspect(root, properties.stuckAfter(), RootPass.CHUNK);
        return transactions.rollBack(() -> {
            runs.lock(root);
            return pass.run(root, suspicion);
        });
    }
}
