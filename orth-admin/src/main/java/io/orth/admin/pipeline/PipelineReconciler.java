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
 * Brings runs forward and puts right what went wrong with them. On every node, one run at a time; whoever has a run's row has the run.
 * Also on demand, and then, if only that is wanted, without leaving a trace.
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
    private Looked look(Supplier<Optional<Claimed>> claim) {
        AtomicReference<Claimed> claimed = new AtomicReference<>();
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
     * Searches first, which may take its time; only where something looks wrong does it have the run for itself for a moment.
     *
     * @param wait for others who have the run
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
     * Does at once what would be done about a run sooner or later, with a full audit.
     *
     * @param dryRun whether it is only to be said what would be done next
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
