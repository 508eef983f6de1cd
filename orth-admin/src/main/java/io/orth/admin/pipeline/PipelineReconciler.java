package io.orth.admin.pipeline;

import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.pipeline.RootRepository.Claimed;
import io.orth.admin.systemlog.SystemLog;
import io.orth.runtime.Duty;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;
import org.springframework.transaction.TransactionException;

/**
 * Advances runs and repairs inconsistencies. Runs on every node, one run at a time, under a lock on the run's row. Can also be called on
 * demand, optionally as a dry run that changes nothing.
 */
@Component
public final class PipelineReconciler implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(PipelineReconciler.class);
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_PASSES = 10_000;

    private final PipelineTables tables;
    private final RootRepository roots;
    private final RootPass pass;
    private final PipelineMetrics metrics;
    private final Transactions transactions;
    private final SystemLog log;
    private final PipelineProperties properties;
    private final PipelineSignals signals;

    PipelineReconciler(
            PipelineTables tables,
            RootPass pass,
            PipelineMetrics metrics,
            Transactions transactions,
            SystemLog log,
            PipelineProperties properties,
            PipelineSignals signals) {
        this.tables = tables;
        this.roots = tables.roots;
        this.pass = pass;
        this.metrics = metrics;
        this.transactions = transactions;
        this.log = log;
        this.properties = properties;
        this.signals = signals;
    }

    @Override
    public Pass run() {
        for (long root : signals.takeChanged(MOST_AT_ONCE)) {
            if (look(() -> roots.claim(root)) == Looked.MORE) {
                signals.reconcile(root);
            }
        }
        int looked = 0;
        while (looked < MOST_AT_ONCE && look(roots::claimDue) != Looked.NONE) {
            looked++;
        }
        return signals.hasChanged() || looked == MOST_AT_ONCE ? Pass.MORE : Pass.DRAINED;
    }

    /** Result of an attempt to claim and reconcile a run. */
    private enum Looked {
        /** There is no due run, or another node has locked it. */
        NONE,
        DONE,
        /** The run needs another pass immediately. */
        MORE
    }

    /**
     * Reconciles one run. Postpones a run that fails, so that it does not block others.
     *
     * @param claim locks one run or returns empty; called inside the transaction
     */
    private Looked look(Supplier<Optional<Claimed>> claim) {
        AtomicReference<Claimed> claimed = new AtomicReference<>();
        try {
            return reconcile(claim, claimed)
                    .map(report -> report.more() ? Looked.MORE : Looked.DONE)
                    .orElse(Looked.NONE);
        } catch (RuntimeException e) {
            // A broken connection, for example after the node was suspended, is not the run's fault. The next pass may
            // come soon.
            if (claimed.get() == null || e instanceof TransactionException) {
                throw e;
            }
            putOff(claimed.get().id(), e);
            return Looked.DONE;
        }
    }

    private Optional<Reconciliation> reconcile(Supplier<Optional<Claimed>> claim, AtomicReference<Claimed> claimed) {
        Optional<Reconciliation> done = transactions.call(() -> {
            claimed.set(claim.get().orElse(null));
            return Optional.ofNullable(claimed.get())
                    .filter(root -> !root.isAuditDue())
                    .map(root -> pass.run(root.id(), null));
        });
        Claimed root = claimed.get();
        return tell(root != null && root.isAuditDue() ? audit(root.id(), false) : done);
    }

    /**
     * Searches without locks first, which may take long. Locks the run briefly, and only if the search found an inconsistency.
     *
     * @param wait whether to wait for other transactions that have locked the run
     */
    private Optional<Reconciliation> audit(long root, boolean wait) {
        Suspicion suspicion = suspect(root);
        return transactions.call(() -> {
            boolean alone = wait || !suspicion.isNone();
            boolean mine = (alone ? tables.runs.lock(root) : roots.claim(root)).isPresent();
            return mine ? Optional.of(pass.run(root, suspicion)) : Optional.empty();
        });
    }

    private Suspicion suspect(long root) {
        return roots.suspect(root, properties.stuckAfter(), RootPass.CHUNK);
    }

    private void putOff(long root, RuntimeException failure) {
        String problem = TaskEndings.problem("NOT_RECONCILED", String.valueOf(failure.getMessage()), null);
        transactions.run(() -> {
            roots.putOff(root, properties.auditEvery());
            tables.log.append(root, null, ExecutionLog.ERROR, "{\"error\":%s}".formatted(problem), tables.now());
        });
        metrics.notReconciled();
        lines.atError().addKeyValue("rootJobId", root).setCause(failure).log("pipeline run cannot be brought forward");
        log.error("pipeline run %d cannot be brought forward: %s".formatted(root, failure.getMessage()));
    }

    private Optional<Reconciliation> tell(Optional<Reconciliation> done) {
        done.filter(report -> !report.actions().isEmpty()).ifPresent(report -> {
            signals.dispatch();
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
     * Reconciles a run immediately, with a full audit.
     *
     * @param dryRun whether only to report the next actions
     */
    public Reconciliation reconcile(long root, boolean dryRun) {
        if (tables.runs.find(root).isEmpty()) {
            throw OrthException.notFound("pipeline run", root);
        }
        if (dryRun) {
            Suspicion suspicion = suspect(root);
            return transactions.rollBack(() -> alone(root, suspicion));
        }
        Reconciliation last = audit(root, true).orElseThrow();
        List<Reconciliation.Action> all = new ArrayList<>(last.actions());
        for (int i = 0; i < MOST_PASSES && last.more(); i++) {
            last = transactions.call(() -> alone(root, null));
            all.addAll(last.actions());
        }
        Reconciliation report = new Reconciliation(root, last.traceId(), last.status(), all, last.more());
        tell(Optional.of(report));
        return report;
    }

    private Reconciliation alone(long root, Suspicion suspicion) {
        tables.runs.lock(root);
        return pass.run(root, suspicion);
    }
}
