package io.orth.admin.declaration;

import io.orth.admin.job.Job;
import io.orth.admin.job.JobChanged;
import io.orth.admin.job.Jobs;
import io.orth.admin.kernel.ErrorCode;
import io.orth.admin.kernel.OrthException;
import io.orth.admin.kernel.Transactions;
import io.orth.admin.security.AuditLog;
import io.orth.protocol.AdminPaths;
import io.orth.protocol.DeclaredJob;
import io.orth.protocol.DeclaredJobs;
import io.orth.protocol.DeclaredJobs.Refused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Component;

/**
 * Intake of the job declarations of executors. Each job is processed in a transaction of its own, so that a rejected one does not stop the
 * others; unchanged declarations need no transaction. The set becomes active after all its jobs have been processed. If a node dies in
 * between, the next heartbeat is asked for the whole set again.
 */
@Component
public class DeclarationIntake {

    /** How long after it goes offline or dies an instance still declares for its group. */
    static final Duration GRACE = Duration.ofMinutes(10);

    private static final Pattern HASH = Pattern.compile("[0-9a-f]{64}");
    private static final int TRIES = 3;

    private final DeclarationRepository declarations;
    private final Jobs jobs;
    private final AuditLog audit;
    private final Transactions transactions;
    private final ApplicationEventPublisher events;

    public DeclarationIntake(
            JdbcClient jdbc, Jobs jobs, AuditLog audit, Transactions transactions, ApplicationEventPublisher events) {
        this.declarations = new DeclarationRepository(jdbc);
        this.jobs = jobs;
        this.audit = audit;
        this.transactions = transactions;
        this.events = events;
    }

    /**
     * Stores the hash of an instance's declarations, which it sends with each heartbeat. Returns whether the instance should send the
     * declarations: if its hash is that of the youngest instance of the group and is not active yet.
     *
     * @return null if the instance sent no valid hash
     */
    public Boolean wants(int group, long executor, String hash) {
        if (hash == null || !HASH.matcher(hash).matches()) {
            return null;
        }
        DeclarationRepository.Heard heard = declarations.heard(executor, group);
        if (!hash.equals(heard.said())) {
            declarations.note(executor, group, hash);
        }
        String inForce = heard.inForce() == null ? DeclaredJobs.NONE : heard.inForce();
        return !inForce.equals(hash) && isSpoken(group, hash);
    }

    private boolean isSpoken(int group, String hash) {
        return declarations.spoken(group, GRACE).filter(hash::equals).isPresent();
    }

    /** Creates and updates jobs. Stops if another instance now declares for the group. */
    public List<Refused> take(Declarer by, DeclaredJobs said) {
        Map<String, JobDeclaration> known = declarations.ofGroup(by.groupId());
        Map<String, Refused> refused = new LinkedHashMap<>();
        said.unreadable().forEach(one -> refused.put(one.name(), RefusedText.of(one.name(), one.msg())));
        Set<String> names = new HashSet<>();
        for (DeclaredJob job : said.jobs()) {
            JobDeclaration before = known.get(job.name());
            if (!names.add(job.name())) {
                refused.put(job.name(), RefusedText.of(job.name(), "is declared twice"));
            } else if (before == null || !before.says(job)) {
                try {
                    if (!takeWithRetries(by, said.hash(), job)) {
                        return List.copyOf(refused.values());
                    }
                } catch (OrthException e) {
                    refused.put(job.name(), RefusedText.of(job.name(), e.getMessage()));
                } catch (DataIntegrityViolationException e) {
                    refused.put(job.name(), RefusedText.of(job.name(), "cannot be stored"));
                }
            }
        }
        names.addAll(refused.keySet());
        putInForce(by, said.hash(), names, refused);
        return List.copyOf(refused.values());
    }

    /**
     * Activates the set and stores the rejections for the console. A rejection whose name cannot be stored is only returned to the
     * executor.
     */
    private void putInForce(Declarer by, String hash, Set<String> names, Map<String, Refused> refused) {
        int group = by.groupId();
        transactions.run(() -> {
            declarations.lock(group);
            if (isSpoken(group, hash)) {
                refused.forEach((name, one) -> {
                    if (RefusedText.canBeKept(name)) {
                        declarations.refuse(group, name, one.msg(), by.instanceId());
                    }
                });
                declarations.withdrawAllBut(
                        group, names.stream().filter(RefusedText::canBeKept).toList());
                declarations.putInForce(group, hash);
            }
        });
    }

    /** Retries on conflicts, because a user may change the same job concurrently. */
    private boolean takeWithRetries(Declarer by, String hash, DeclaredJob said) {
        for (int attempt = 1; ; attempt++) {
            try {
                return take(by, hash, said);
            } catch (OrthException e) {
                if (e.code() != ErrorCode.CONFLICT || attempt == TRIES) {
                    throw e;
                }
            }
        }
    }

    /** Returns whether the instance still declares for the group. */
    private boolean take(Declarer by, String hash, DeclaredJob said) {
        List<Integer> changed = new ArrayList<>();
        boolean taken = transactions.call(() -> {
            changed.clear();
            declarations.lock(by.groupId());
            if (!isSpoken(by.groupId(), hash)) {
                return false;
            }
            JobDeclaration before = declarations.find(by.groupId(), said.name()).orElse(null);
            Job job = upsert(by, said, before, changed);
            declarations.save(by.groupId(), said.name(), job == null ? null : job.id(), said, by.instanceId());
            return true;
        });
        // Published again after the commit, for listeners that queried before it.
        changed.forEach(id -> events.publishEvent(new JobChanged(id)));
        return taken;
    }

    /** Returns the job of the declaration; null if a user has deleted it. */
    private Job upsert(Declarer by, DeclaredJob said, JobDeclaration before, List<Integer> changed) {
        DeclaredSpec spec = new DeclaredSpec(said, by.groupId());
        Job job = jobOf(by.groupId(), said.name(), before);
        if (job == null) {
            if (before != null && before.wasDismissed(said)) {
                return null;
            }
            Job made = jobs.create(spec.alone(), true);
            return told(by, made, "created", changed);
        }
        boolean follows = before != null
                && before.declared() != null
                && new DeclaredSpec(before.declared(), by.groupId()).isFollowedBy(job.spec());
        var wanted = spec.over(job.spec());
        if (!follows || wanted.equals(job.spec())) {
            return job;
        }
        return told(by, jobs.update(job.id(), job.version(), wanted, job.enabled()), "updated", changed);
    }

    private Job jobOf(int group, String name, JobDeclaration before) {
        if (before != null && before.jobId() != null) {
            return jobs.find(before.jobId()).orElse(null);
        }
        Job named = jobs.findByName(group, name).orElse(null);
        if (named != null) {
            JobDeclaration other = declarations.ofJobs(List.of(named.id())).get(named.id());
            if (other != null && !other.name().equals(name)) {
                throw OrthException.invalid(
                        "name", "is that of a job which code declares under another name: " + other.name());
            }
        }
        return named;
    }

    private Job told(Declarer by, Job job, String what, List<Integer> changed) {
        changed.add(job.id());
        audit.record(new AuditLog.Deed(
                by.inAudit(),
                "POST " + AdminPaths.DECLARATIONS,
                "job " + job.id(),
                by.address(),
                by.traceId(),
                "%s %s".formatted(job.spec().name(), what)));
        return job;
    }
}
