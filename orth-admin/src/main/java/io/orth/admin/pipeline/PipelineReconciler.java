package io.orth.admin.pipeline;

import io.orth.admin.kernel.Duty;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.systemlog.SystemLog;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings runs forward and puts right what went wrong with them. On every node, one run at a time; whoever has a run's row has the run.
 * Also on demand, and then, if only that is wanted, without leaving a trace.
 */
public final class PipelineReconciler implements Duty {

    private static final Logger lines = LoggerFactory.getLogger(PipelineReconciler.class);
    private static final int MOST_AT_ONCE = 100;
    private static final int MOST_PASSES = 10_000;

    /** Carries out of a transaction what would have been done in it. */
    private static final class Rehearsed extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final transient Reconciliation report;

        private Rehearsed(Reconciliation report) {
            super("only rehearsed", null, false, false);
            this.report = report;
        }
    }

    private final RootRepository roots;
    private final PipelineRunRepository runs;
    private final RootPass pass;
    private final Transactions transactions;
    private final SystemLog log;
    private final PipelineProperties properties;
    private final Runnable dispatch;
    private final Set<Long> hinted = ConcurrentHashMap.newKeySet();
    private volatile Runnable wake = () -> {};

    /** @param dispatch there may be something new in the outbox */
    PipelineReconciler(
            RootRepository roots,
            PipelineRunRepository runs,
            RootPass pass,
            Transactions transactions,
            SystemLog log,
            PipelineProperties properties,
            Runnable dispatch) {
        this.roots = roots;
        this.runs = runs;
        this.pass = pass;
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
            look(() -> roots.claim(root)).filter(Reconciliation::more).ifPresent(more -> hinted.add(root));
        }
        int looked = 0;
        while (looked < MOST_AT_ONCE && look(roots::claimDue).isPresent()) {
            looked++;
        }
        return hinted.isEmpty() && looked < MOST_AT_ONCE ? Pass.DRAINED : Pass.MORE;
    }

    /** @param claim locks one run, or finds none; in the transaction */
    private Optional<Reconciliation> look(Supplier<Optional<Long>> claim) {
        AtomicReference<Long> toAudit = new AtomicReference<>();
        Optional<Reconciliation> done = transactions.call(() -> {
            toAudit.set(null);
            Optional<Long> claimed = claim.get();
            if (claimed.filter(roots::isAuditDue).isPresent()) {
                toAudit.set(claimed.get());
                return Optional.empty();
            }
            return claimed.map(root -> pass.run(root, null));
        });
        return tell(toAudit.get() == null ? done : Optional.of(audit(toAudit.get())));
    }

    /** Searches first, which may take its time, and then has the run for itself for a moment. */
    private Reconciliation audit(long root) {
        List<Long> astray = roots.astray(root, properties.stuckAfter(), RootPass.CHUNK);
        return transactions.call(() -> {
            runs.lock(root);
            return pass.run(root, astray);
        });
    }

    private Optional<Reconciliation> tell(Optional<Reconciliation> done) {
        done.filter(report -> !report.actions().isEmpty()).ifPresent(report -> {
            dispatch.run();
            AboutRun.in(lines.atInfo(), report.rootId(), report.traceId())
                    .addKeyValue("status", report.status())
                    .addKeyValue("did", report.actions())
                    .log("brought a pipeline run forward");
            report.actions().stream()
                    .filter(action -> action.kind().startsWith("RUN_"))
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
        Reconciliation last = audit(root);
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
        List<Long> astray = roots.astray(root, properties.stuckAfter(), RootPass.CHUNK);
        try {
            transactions.run(() -> {
                runs.lock(root);
                throw new Rehearsed(pass.run(root, astray));
            });
            throw new IllegalStateException("a rehearsal ends without an end");
        } catch (Rehearsed rehearsed) {
            return rehearsed.report;
        }
    }
}
